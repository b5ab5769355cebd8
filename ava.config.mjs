import {
  chromiumAvailable,
  galeraAvailable,
  mariaDbAvailable,
  nginxAvailable,
  pgBouncerAvailable,
  postgresqlAvailable,
  smallDiskAvailable,
  spiderAvailable,
  testsServers,
} from '@account-import/test/servers'

const servers = mariaDbAvailable()
if (!servers && testsServers)
  console.error(
    'MariaDB is not installed: tests that need it are left out (apt-get install mariadb-server-core)',
  )
const onPostgresql = postgresqlAvailable()
if (!onPostgresql && testsServers)
  console.error('PostgreSQL is not installed: tests that need it are left out (apt-get install postgresql)')
const poolers = onPostgresql && pgBouncerAvailable()
if (!poolers && testsServers)
  console.error('PgBouncer is not installed: tests behind a pooler are left out (apt-get install pgbouncer)')
const clusters = galeraAvailable()
if (!clusters && testsServers)
  console.error('Galera is not installed: tests that need it are left out (apt-get install galera-4)')
const shards = spiderAvailable()
if (!shards && testsServers)
  console.error(
    'Spider is not installed: tests on shards are left out (apt-get install mariadb-plugin-spider)',
  )

const browsers = chromiumAvailable()
if (!browsers)
  console.error(
    'Chromium is not installed: tests of pages are left out (apt-get install chromium fonts-dejavu-core)',
  )

if (!nginxAvailable())
  console.error('nginx is not installed: tests behind a proxy are left out (apt-get install nginx-light)')

if (!smallDiskAvailable())
  console.error('No file system can be mounted: tests of a full disk are left out (root can)')

/** Where `npm test` has put the test files together (scripts/tests/bundles.mjs). */
const bundles = process.env.TEST_FILES
const built = bundles ?? 'test/dist/'
const [root, ending] = bundles === undefined ? ['test/src/', 'ts'] : [bundles, 'js']

/** Files that take long: they begin first, so that others work meanwhile and none is left alone in the end. */
const slow =
  /journeys.journeys|scenarios.(kills|wire|two-servers|calls|databases)|hostile.(requests|floods)|pages.pages|emails.relay|bulk.pace|verify.verify|server.serve|\b(?:convert|http|server)\.test/

export default {
  sortTestFiles: (one, other) =>
    Number(slow.test(other)) - Number(slow.test(one)) || one.localeCompare(other),
  // A file with nothing but tests on MariaDB, on PostgreSQL, on both, on Galera, or in a browser, says so in its name.
  files: [
    `${root}**/*.test.${ending}`,
    ...(servers ? [] : [`!${root}**/*.mariadb.test.${ending}`]),
    ...(onPostgresql ? [] : [`!${root}**/*.postgresql.test.${ending}`]),
    ...(servers || onPostgresql ? [] : [`!${root}**/*.servers.test.${ending}`]),
    ...(poolers ? [] : [`!${root}**/pooler.postgresql.test.${ending}`]),
    ...(clusters ? [] : [`!${root}**/*.galera.test.${ending}`]),
    ...(shards ? [] : [`!${root}**/spider{,.rehearsal}.mariadb.test.${ending}`]),
    ...(browsers ? [] : [`!${root}**/*.browser.test.${ending}`]),
  ],
  ...(bundles === undefined && { typescript: { rewritePaths: { 'test/src/': built }, compile: false } }),
  require: [
    `./${built}support/colourless.js`,
    // npm test has the codes recorded that the tests see.
    ...(process.env.EMITTED_CODES_DIR === undefined ? [] : [`./${built}codes/record-emitted.js`]),
  ],
  // On two cores: many tests wait, for claims to end, for time limits, for servers to start; more would starve clusters of time.
  concurrency: testsServers ? 3 : 4,
  timeout: '180s',
}
