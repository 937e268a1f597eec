/**
 * Loaded before a service's own code (`node --import`): ends the service, which leads a process group of its own, when the
 * process that started it is gone.
 */
import { spawn } from 'node:child_process';

const graceSeconds = 5;

function endGroup() {
  // A process of the group, since this one may be stuck by then: flushing to a log that no one reads never ends.
  spawn('sh', ['-c', `sleep ${graceSeconds}; kill -KILL 0`], { stdio: 'ignore' }).unref();
  process.kill(process.pid, 'SIGTERM');
}

if (process.connected) {
  process.on('disconnect', endGroup);
  // Listening must not keep alive a process that has nothing left to do.
  process.channel.unref();
} else if (process.send) {
  // The other one was gone before this was loaded.
  endGroup();
}
