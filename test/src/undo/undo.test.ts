import test, { type ExecutionContext } from 'ava'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { served } from '../personal-data/support/served-journey.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { sample } from '../support/samples.js'
import { tempFolder } from '../support/temp-folder.js'

/** A server on SQLite with created accounts A and B, and the command line with a key that has the scope `undo`. */
const begun = async (t: ExecutionContext) => {
  const folder = await tempFolder(t)
  const service = await served(t, { DATA_DIR: folder })
  const { environment, server, apiKey, post } = service
  const made = await cliInProcess(
    ['api-key', 'create', '--organisation', 'ACME', '--scope', 'undo', '--json'],
    environment,
  )
  const { api_key: undoKey } = JSON.parse(made.stdout) as { api_key: string }
  const create = async (number: string): Promise<string> => {
    const account = { ...sample('gas-account.json'), external_account_number: number }
    await post('/v1/data-import/account-import-process/create-or-update/', account)
    const created = await post('/v1/data-import/account-import-process/process/', {
      import_supplier_code: 'LEVANTE',
      external_account_number: number,
      operations_team_name: 'North',
    })
    return ((await created.json()) as { platform_account_number: string }).platform_account_number
  }
  const undo = (args: readonly string[], key = undoKey) =>
    cliInProcess(['undo', 'LEVANTE', ...args, '--url', server.address], {
      ...environment,
      ACCOUNT_IMPORT_API_KEY: key,
    })
  return { ...service, folder, apiKey, create, undo, numbers: [await create('A'), await create('B')] }
}

type Preview = Readonly<{ confirmation_code: string; kept: readonly object[]; error?: { code: string } }>

test('undo shows a preview, confirms it by its code, and the accounts can be imported again', async (t) => {
  const { folder, create, undo, numbers, get } = await begun(t)
  const file = join(folder, 'numbers.txt')
  // A list that a spreadsheet wrote begins with a byte order mark.
  await writeFile(file, '\ufeffA\r\n\nB\nNOBODY\nA\n')
  const preview = await undo(['--numbers', file, '--json'])
  t.is(preview.code, 2)
  const { confirmation_code: code, error, ...shown } = JSON.parse(preview.stdout) as Preview
  t.is(error?.code, 'confirmation_needed')
  const accounts = ['A', 'B'].map((external_account_number, index) => ({
    external_account_number,
    platform_account_number: numbers[index],
    additions: 0,
  }))
  const kept = [{ external_account_number: 'NOBODY', reason: 'not_created' }]
  t.deepEqual(shown, { import_supplier: 'LEVANTE', would_remove: accounts, kept } as never)
  const told = await undo(['A', 'NOBODY'])
  t.regex(
    told.stderr,
    /would be undone: 1\.\nKept: 1\n[^]*NOBODY +not_created\nNothing was changed\. To undo the account, run/,
  )
  const done = await undo(['--numbers', file, '--confirm', code, '--json'])
  t.deepEqual(
    [done.code, JSON.parse(done.stdout)],
    [0, { import_supplier: 'LEVANTE', removed: accounts, kept }],
  )
  for (const query of ['account-transfer-status', 'account-digest']) {
    const answer = await get(`/v1/data-import/${query}/LEVANTE/A/`)
    t.is(answer.status, 404, query)
    t.like(await answer.json(), { code: 'import_process_does_not_exist' })
  }
  t.false(numbers.includes(await create('A')))
  t.is((await undo(['--numbers', file, '--confirm', code])).code, 2)
})

test('undo is refused without its scope, without accounts, and with the code of another preview', async (t) => {
  const { folder, apiKey, environment, undo } = await begun(t)
  const codeOf = async (args: readonly string[]): Promise<readonly [number | null, string]> => {
    const { code, stdout } = await undo([...args, '--json'])
    return [code, (JSON.parse(stdout) as Preview).error?.code ?? '']
  }
  const withUsualKey = await undo(['A', '--json'], apiKey)
  t.deepEqual(
    [withUsualKey.code, (JSON.parse(withUsualKey.stdout) as Preview).error?.code],
    [2, 'permission_denied'],
  )
  t.deepEqual(await codeOf([]), [2, 'usage'])
  t.deepEqual(await codeOf(['--numbers', join(folder, 'none')]), [3, 'input_unreadable'])
  const { confirmation_code: code } = JSON.parse((await undo(['A', '--json'])).stdout) as Preview
  t.deepEqual(await codeOf(['A', 'B', '--confirm', code]), [2, 'undo_not_confirmed'])
  t.deepEqual(await codeOf(['A', '--with-additions', '--confirm', code]), [2, 'undo_not_confirmed'])
  t.deepEqual(await codeOf(['A', '--confirm', 'yes']), [2, 'undo_not_confirmed'])
  const set = (status: string) => cliInProcess(['supplier', 'set-status', 'LEVANTE', status], environment)
  await set('complete')
  t.deepEqual(await codeOf(['A']), [2, 'import_supplier_migration_complete'])
  await set('ongoing')
  t.is((await undo(['A', '--confirm', code])).code, 0)
})
