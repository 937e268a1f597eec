import { Copyable, Dialog } from '../shared/dialog.js';
import type { FreshKey, Shop } from '../../../schemas/app.js';
import { commandsFor } from './commands.js';
import { snippet } from '../settings/pixel-snippet.js';

/** A key in the one moment in which it can be seen, with what to do with it first. */
export function ShownOnce({ fresh, shop, onClose }: { fresh: FreshKey; shop: Shop; onClose: () => void }) {
  const commands = commandsFor(fresh, shop, location.origin, new Date());
  return (
    <Dialog title="Your new key" onClose={onClose}>
      <p class="notice">Copy it now: it is not shown again, and nobody can look it up.</p>
      <Copyable text={fresh.key} label="API key" />
      {commands.map(({ title, text }) => (
        <div key={title}>
          <h3>{title}</h3>
          <Copyable text={text} label={title} long />
        </div>
      ))}
      {fresh.kind === 'pixel' && (
        <>
          <h3>Put the pixel in your pages</h3>
          <Copyable text={snippet(location.origin, fresh.key)} label="Pixel snippet" long />
        </>
      )}
      <div class="row">
        <button type="button" class="primary" onClick={onClose}>
          I have stored it
        </button>
      </div>
    </Dialog>
  );
}
