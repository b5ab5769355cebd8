import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Packs each package into `folder`; returns its name, its tarball, and the paths of the files in the tarball. */
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
