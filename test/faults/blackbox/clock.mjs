/** Loaded before a process's own code (`node --import`): its clock is off by the milliseconds that a file says. */
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

const LOOK_MS = 100;
const RealDate = Date;
const realNow = Date.now.bind(Date);
let shiftMs = 0;

const look = () => {
  try {
    shiftMs = Number(readFileSync(process.env.CLOCK_FILE ?? '', 'utf8'));
  } catch {
    shiftMs = 0; // there is no file: the clock is right
  }
};
look();
setInterval(look, LOOK_MS).unref();

const now = () => realNow() + shiftMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
