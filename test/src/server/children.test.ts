import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const title = 'a child that a test starts prints as into a pipe'

test(title, async (t) => {
  const { stdout } = await execute(process.execPath, ['-e', 'console.log(true, 1, { a: "b" })'])
  t.is(stdout, "true 1 { a: 'b' }\n")
})

test('so it does where AVA itself shows colours, as in a terminal', async (t) => {
  const args = ['node_modules/ava/entrypoints/cli.mjs', '--match', title, 'test/src/server/children.test.ts']
  const env = { ...process.env, FORCE_COLOR: '1' }
  const { stdout } = await execute(process.execPath, args, { cwd: root, env })
  t.regex(stdout, /1 test passed/)
})
