import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import test from 'ava'
import { root } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'

const answers = (address: string): Promise<boolean> =>
  fetch(`${address}/livez`).then(
    () => true,
    () => false,
  )

test('a server that npx started ends when npx is ended, which passes no signal on', async (t) => {
  const npx = spawn('npx', ['account-import', 'serve'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      DATA_DIR: await tempFolder(t),
      PORT: '0',
      LOG_LEVEL: 'info',
      npm_config_offline: 'true',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.teardown(() => npx.kill('SIGKILL'))
  let said = ''
  npx.stderr.setEncoding('utf8')
  while (!said.includes('accepting requests')) said += String((await once(npx.stderr, 'data'))[0])
  const address = /"address":"([^"]+)"/.exec(said)?.[1] ?? ''
  t.true(await answers(address), said)
  t.notRegex(said, /Serving/, 'without a terminal stderr is the log alone')
  npx.kill('SIGTERM')
  while (await answers(address)) await setTimeout(100)
  t.pass()
})
