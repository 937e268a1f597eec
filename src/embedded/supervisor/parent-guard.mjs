/** Loaded before a service's own code (`node --import`): ends the service when the process that started it is gone. */
import { setTimeout } from 'node:timers';

const graceMs = 5_000;

if (process.channel) {
  process.on('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref();
  });
  // Listening must not keep alive a process that has nothing left to do.
  process.channel.unref();
}
