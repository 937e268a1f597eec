/** A stand-in for the migrations: fails when told to. */
if (process.argv[2] === 'fail') {
  console.error('table is in the way');
  process.exit(3);
}
