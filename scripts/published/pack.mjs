import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Packs each package into `folder`: its name, where its tarball is, and the paths of the files in it. */
export const pack = (folder) => {
  const ours = readdirSync('packages').map((name) => `--workspace=packages/${name}`)
  const { stdout, status } = spawnSync('npm', ['pack', '--json', `--pack-destination=${folder}`, ...ours], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error('npm pack failed')
  return JSON.parse(stdout).map(({ name, filename, files }) => ({
    name,
    tarball: join(folder, filename),
    paths: files.map(({ path }) => path),
  }))
}
