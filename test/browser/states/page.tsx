import { render } from 'preact';
import { applyTheme } from '../../../src/console/web/shared/chosen-theme.js';
import { Copyable, Dialog } from '../../../src/console/web/shared/dialog.js';
import { Entrance, EntranceField } from '../../../src/console/web/shared/entrance.js';
import { Frame } from '../../../src/console/web/shared/frame.js';
import { SignedIn } from '../../../src/console/web/shared/signed-in.js';
import { Answers } from './answers.js';
import { Figures } from './figures.js';
import { Lists } from './lists.js';
import { Component, State } from './state.js';

/** Components that have the page to themselves. */
const ALONE = {
  dialog: () => (
    <Dialog title="A key" onClose={() => undefined}>
      <Component of="dialog">
        <State name="open">
          <Copyable text="sk_0123456789" label="API key" />
        </State>
      </Component>
    </Dialog>
  ),
  entrance: () => (
    <Entrance trouble="This is wrong." busy={false} action="Sign in" onSubmit={() => undefined} foot="First time?">
      <Component of="entrance">
        <State name="refused">
          <EntranceField label="Name" autocomplete="username" value="" onInput={() => undefined} />
        </State>
      </Component>
    </Entrance>
  ),
};

/** The shared components of the app in all their states. */
function States() {
  const name = location.hash.slice(1);
  if (name === 'dialog' || name === 'entrance') return ALONE[name]();
  return (
    <SignedIn>
      <Frame shop="a" about="GBP · London" current="orders">
        <h1>Components</h1>
        <Figures />
        <Answers />
        <Lists />
      </Frame>
    </SignedIn>
  );
}

applyTheme();
const app = document.getElementById('app');
if (app !== null) render(<States />, app);
