import { spawnSync } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { root, textOf } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`

test('images are given the digests that Docker answers, and a release is refused while one has none', async (t) => {
  const cwd = await tempFolder(t)
  const withoutDigests = (text: string): string => text.replaceAll(/@sha256:[0-9a-f]{64}/g, '')
  for (const file of ['Dockerfile', 'compose.yaml'])
    await writeFile(join(cwd, file), withoutDigests(textOf(file)))
  const docker = join(cwd, 'docker')
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts/pin-images.mjs'), ...args], {
      cwd,
      encoding: 'utf8',
      env: { PATH: `${cwd}:/usr/bin:/bin` },
    })
  const images = ['Dockerfile: node:', 'compose.yaml: mysql:', 'minio/minio:', 'minio/mc:']
  const open = run('--check')
  t.is(open.status, 1)
  for (const image of images) t.true(open.stderr.includes(image), open.stderr)
  await writeFile(docker, '#!/bin/sh\ncase "$4" in *minio*) exit 1;; esac\necho ' + digest)
  await chmod(docker, 0o755)
  t.not(run().status, 0, 'one image is not found')
  t.is(await readFile(join(cwd, 'Dockerfile'), 'utf8'), withoutDigests(textOf('Dockerfile')))
  await writeFile(docker, `#!/bin/sh\necho ${digest}`)
  for (const turn of ['first', 'again']) {
    t.is(run().status, 0, turn)
    for (const [file, count] of [
      ['Dockerfile', 1],
      ['compose.yaml', 3],
    ] as const)
      t.is((await readFile(join(cwd, file), 'utf8')).split(`@${digest}`).length - 1, count, turn)
  }
  t.deepEqual([run('--check').status, run('--check').stderr], [0, ''])
})
