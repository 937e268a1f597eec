/** `health.mjs api|worker`: the health check of a container, in the built tree. Ends with status 0 when all is well. */
const { apiIsHealthy, workerIsHealthy } = await import(new URL('./health.js', import.meta.url).href);
const { PORT = '3000', REDIS_URL = '' } = process.env;

try {
  const healthy = process.argv[2] === 'worker' ? await workerIsHealthy(REDIS_URL) : await apiIsHealthy(Number(PORT));
  process.exit(healthy ? 0 : 1);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
