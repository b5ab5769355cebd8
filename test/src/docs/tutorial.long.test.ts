import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import test from 'ava'
import { freePort } from '../servers/index.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { root, textOf } from '../support/repository.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { blocksOfPage, followTutorial, tutorialEnvironment } from './follow-tutorial.js'

const linesOf = async (file: string): Promise<readonly string[]> =>
  (await readFile(file, 'utf8')).trim().split(/\r?\n/)

test('the tutorial for a CSV export does what it says, from the export to the mapping', async (t) => {
  const dataDir = join(await tempFolder(t), 'data')
  await mkdir(dataDir, { mode: 0o700 })
  const { address } = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
  const blocks = blocksOfPage('docs/tutorials/from-a-csv-export.md')
  t.true(blocks.length > 4)
  const shown = followTutorial(t, blocks, (text) =>
    text.replaceAll('http://127.0.0.1:8080', address).replaceAll('data/', `${dataDir}/`),
  )
  t.regex(shown, /^created: +12$/m)
  t.is((await linesOf(join(dataDir, 'mapping.csv'))).length, 13)
})

const embedding = blocksOfPage('docs/tutorials/embed-in-your-platform.md')

test('the tutorial for platforms shows the files of its example', (t) => {
  const shown = embedding.filter(([language]) => language === 'ts')
  t.true(shown.length > 4)
  for (const [, name, text] of shown) t.is(text, textOf(`examples/embed-step-by-step/src/${name}`))
})

test('the tutorial for platforms does what it says, from memory to accounts with numbers of the platform', async (t) => {
  const dataDir = join(await tempFolder(t), 'data')
  const port = String(await freePort())
  const here = (text: string): string => text.replaceAll('data/', `${dataDir}/`).replaceAll('3000', port)
  const steps = embedding.filter(([language]) => language !== 'ts')
  const platform = steps.findIndex(([, name]) => name === 'tutorial-platform')
  followTutorial(t, steps.slice(0, platform), here)
  const child = spawn('bash', ['-c', here((steps[platform]?.[2] ?? '').replace(' node ', ' exec node '))], {
    cwd: root,
    env: tutorialEnvironment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.teardown(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  t.regex(String(await once(child.stdout, 'data')), /listening/)
  followTutorial(t, steps.slice(platform + 1), here)
  const mapped = await linesOf(join(dataDir, 'platform-mapping.csv'))
  t.deepEqual(
    mapped
      .map((line) => line.split(',').at(-1))
      .slice(1)
      .sort(),
    ['A-00000001', 'A-00000002'],
  )
  // Only a program that runs the background work seals audit events; the commands of the tutorial do not.
  let heads = ''
  while (!heads.includes('"ACME"')) {
    heads = (
      await cliInProcess(['audit', 'head', '--json'], { DATABASE_URL: `sqlite:${dataDir}/imports.db` })
    ).stdout
    await setTimeout(100)
  }
  child.kill('SIGTERM')
  t.deepEqual(await once(child, 'exit'), [0, null])
})
