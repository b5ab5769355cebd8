import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { openService, readConfig } from '@account-import/server'

const begun = async (t: Parameters<typeof tempFolder>[0]) => {
  const environment = { DATA_DIR: await tempFolder(t) }
  const run = (...args: string[]) => cliInProcess(args, environment)
  await run('organisation', 'create', 'ACME', '--operator', 'alice')
  await run('supplier', 'create', 'LEVANTE', '--organisation', 'ACME')
  await run('skip', 'LEVANTE', 'N-1', '--operator', 'bob')
  const seal = async () => {
    const config = readConfig(environment, 'operate')
    if (config._tag === 'Left') throw new Error('the configuration of the test is wrong')
    const service = await openService(config.right)
    const sealed = await service.useCases.audit.seal(1000)()
    await service.close()
    return sealed
  }
  return { environment, run, seal }
}

test('audit list names operators, and shows what waits until it is sealed', async (t) => {
  const { run, seal } = await begun(t)
  const waiting = await run('audit', 'list', '--supplier', 'LEVANTE', '--account', 'N-1')
  t.is(waiting.code, 0, waiting.stderr)
  t.regex(waiting.stdout, /unsealed .*skipped .*operator bob/)
  t.is((await seal())._tag, 'Right')
  const { stdout } = await run('audit', 'list', '--json')
  const entries = JSON.parse(stdout) as { what: string; who: string; sequence: number | null; hash: string }[]
  t.true(entries.every(({ sequence, hash }) => sequence !== null && /^[\w-]{16}:[\w-]{43}$/.test(hash)))
  t.true(entries.some(({ who }) => who === 'operator alice'))
  const none = await run('audit', 'list', '--since', '2099-01-01')
  t.is(none.stdout, '')
})

test('audit verify says that all is as it was sealed, and finds heads that are in no chain', async (t) => {
  const { environment, run, seal } = await begun(t)
  await seal()
  const head = await run('audit', 'head')
  t.regex(head.stdout, /^ACME \d+ [\w-]{16}:[\w-]{43}$/m)
  const file = join(environment.DATA_DIR, 'documents', 'heads.txt')
  await writeFile(file, head.stdout)
  t.is((await run('audit', 'verify', '--head', file)).code, 0)
  await writeFile(file, (await run('audit', 'head', '--json')).stdout)
  t.is((await run('audit', 'verify', '--head', file)).code, 0)
  const cut = await run('audit', 'verify', '--head', 'f'.repeat(64))
  t.is(cut.code, 1)
  t.regex(cut.stdout, /head_missing/)
  const json = await run('audit', 'verify', '--organisation', 'ACME', '--json')
  t.like(JSON.parse(json.stdout), { breaks: [], found: 0 })
  await writeFile(file, 'something else\n')
  for (const given of [file, join(environment.DATA_DIR, 'nothing')])
    t.is((await run('audit', 'verify', '--head', given)).code, 2)
  t.is((await run('audit', 'list', '--account', 'N-1')).code, 2)
  t.is((await run('audit', 'list', '--since', 'yesterday')).code, 2)
})

test('the key of the data folder is changed, and audit verify names the one that is taken away', async (t) => {
  const { environment, run, seal } = await begun(t)
  await seal()
  const file = join(environment.DATA_DIR, 'audit-key')
  const old = (await readFile(file, 'utf8')).trim()
  const added = 'n'.repeat(44)
  await writeFile(file, `${added}\n${old}\n`)
  await run('skip', 'LEVANTE', 'N-2')
  await seal()
  t.is((await run('audit', 'verify')).code, 0)
  await writeFile(file, `${added}\n`)
  const { code, stdout } = await run('audit', 'verify', '--organisation', 'ACME')
  t.is(code, 1)
  t.regex(
    stdout,
    /^key_missing ACME 1 [\w-]{16} \(the first entry of a key that AUDIT_KEY does not have\)\n$/,
  )
  t.false(stdout.includes(old))
  await writeFile(file, 'short\n')
  t.is((await run('audit', 'verify')).code, 3)
})
