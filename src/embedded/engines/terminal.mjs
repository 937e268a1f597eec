/**
 * A terminal of its own as the standard input of this process. The engine ends at the first error of any connection (a
 * few bytes that are no HTTP, a client that goes away) unless it believes that a person sits at its terminal.
 */
import { createRequire } from 'node:module';

const { DataType, load, open } = createRequire(import.meta.url)('ffi-rs');

const onMac = process.platform === 'darwin';
const O_RDWR = 2;
const O_NOCTTY = onMac ? 0x20000 : 0o400;

/**
 * Opens the terminal; the function that it returns hangs up, after which a reader finds the end.
 * Throws where the machine gives no terminal.
 */
export function openTerminal() {
  open({ library: 'c', path: onMac ? '/usr/lib/libSystem.B.dylib' : 'libc.so.6' });
  const call = (funcName, paramsType, paramsValue, retType = DataType.I32) =>
    load({ library: 'c', funcName, retType, paramsType, paramsValue });
  const checked = (name, paramsType, paramsValue) => {
    const result = call(name, paramsType, paramsValue);
    if (result < 0) throw new Error(`${name} gave ${result}`);
    return result;
  };
  const ours = checked('posix_openpt', [DataType.I32], [O_RDWR | O_NOCTTY]);
  checked('grantpt', [DataType.I32], [ours]);
  checked('unlockpt', [DataType.I32], [ours]);
  const path = call('ptsname', [DataType.I32], [ours], DataType.String);
  const theirs = checked('open', [DataType.String, DataType.I32], [path, O_RDWR | O_NOCTTY]);
  checked('dup2', [DataType.I32, DataType.I32], [theirs, 0]);
  checked('close', [DataType.I32], [theirs]);
  return () => checked('close', [DataType.I32], [ours]);
}
