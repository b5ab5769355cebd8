import { mariaDbAvailable } from '@account-import/test/servers'

const servers = mariaDbAvailable()
if (!servers)
  console.error(
    'MariaDB is not installed: tests that need it are left out (apt-get install mariadb-server-core)',
  )

export default {
  // A file with nothing but tests on MariaDB says so in its name.
  files: ['test/src/**/*.test.ts', ...(servers ? [] : ['!test/src/**/*.mariadb.test.ts'])],
  typescript: { rewritePaths: { 'test/src/': 'test/dist/' }, compile: false },
  // npm test has the codes recorded that the tests see.
  ...(process.env.EMITTED_CODES_DIR === undefined
    ? {}
    : { require: ['./test/dist/codes/record-emitted.js'] }),
  timeout: '180s',
}
