import test, { type ExecutionContext } from 'ava'
import { onBackend, type DatabaseBackend } from '../support/on-backend.js'
import { mariaDbAvailable } from '../servers/index.js'
import { emailCrashRun } from './email-crash-run.js'

/** E-mails that are being sent at one time. */
const most = 4

const passes = async (t: ExecutionContext, backend: DatabaseBackend, kills: number): Promise<void> => {
  t.timeout(400_000)
  const summary = await onBackend[backend]((url) => emailCrashRun(url, kills))
  t.log(JSON.stringify(summary))
  t.deepEqual(summary.faults, [])
  t.is(summary.delivered, summary.accounts + summary.repeated)
  t.true(summary.repeated <= kills * most, 'only what was being sent can be sent again')
}

if (mariaDbAvailable())
  test('2 kills of a server that sends e-mails: none is lost (MariaDB)', (t) => passes(t, 'mariadb', 2))

test('a kill of a server that sends e-mails: none is lost (SQLite)', (t) => passes(t, 'sqlite', 1))
