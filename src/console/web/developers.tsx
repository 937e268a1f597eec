import { render } from 'preact';
import { followLinks } from './app/navigation.js';
import { Workbench } from './developers/workbench.js';
import { Frame } from './shared/frame.js';
import { NeedsRole } from './shared/needs-role.js';
import { SignedIn, useMay } from './shared/signed-in.js';
import { applyTheme } from './shared/chosen-theme.js';

/** Keys and settings are for those who may change them. */
function Developers() {
  if (useMay('manager')) return <Workbench />;
  return (
    <Frame current="developers">
      <h1>Developers</h1>
      <NeedsRole role="manager">{null}</NeedsRole>
    </Frame>
  );
}

applyTheme();
followLinks((path) => path === '/developers');
const app = document.getElementById('app');
if (app !== null) {
  render(
    <SignedIn>
      <Developers />
    </SignedIn>,
    app,
  );
}
