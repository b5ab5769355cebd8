import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { root } from '../support/repository.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'

const execute = promisify(execFile)
/** All that it shows on a terminal: results and what is said to people. */
const demo = async (...args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await execute(process.execPath, ['scripts/demo.mjs', ...args], { cwd: root })
  return `${stdout}\n${stderr}`
}

test('the demo imports a thousand accounts beside a demo server, and again it creates none', async (t) => {
  const data = await tempFolder(t)
  const { address } = await serveProcess(t, { DATA_DIR: data, LOG_LEVEL: 'error' }, ['--demo'])
  const first = await demo('--url', address, '--data', data)
  t.regex(first, /^\$ account-import import /m)
  const [, created = '', failed = ''] = /^created (\d+), failed (\d+)\.$/m.exec(first) ?? []
  t.is(Number(created) + Number(failed), 1000, first)
  t.true(Number(failed) > 0 && Number(failed) < 50)
  t.regex(first, new RegExp(`^created: +${created}$`, 'm'))
  t.regex(await readFile(join(data, 'demo-import.html'), 'utf8'), /^<!doctype html>/i)
  const failures = (await readFile(join(data, 'demo-failed.ndjson'), 'utf8')).trim().split('\n')
  t.is(failures.length, Number(failed))
  const again = await demo('--url', address, '--data', data)
  t.regex(again, new RegExp(`^created before ${created}, failed ${failed}\\.$`, 'm'))
})

test('without a server beside it the demo says what to start', async (t) => {
  const data = await tempFolder(t)
  const refused = await t.throwsAsync(demo('--data', data), { any: true })
  t.regex(String((refused as unknown as { stderr: string }).stderr), /Run npm start/)
})
