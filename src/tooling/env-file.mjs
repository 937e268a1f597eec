/**
 * Reads the file `.env` of the working folder, where there is one, into the environment. What the environment has already
 * stays. Tests never do: they must not find the servers that somebody works with.
 */
export function loadEnvFileOrExit() {
  try {
    process.loadEnvFile();
  } catch (error) {
    if (error.code === 'ENOENT') return;
    console.error(`The file .env could not be read: ${error.message}`);
    process.exit(1);
  }
}
