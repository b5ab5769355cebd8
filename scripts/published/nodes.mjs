import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Installs packages in a new folder that contains only a manifest, without scripts. */
const installIn = (folder, what) => {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const { status } = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...what],
    { cwd: folder, stdio: ['ignore', 2, 2] },
  )
  if (status !== 0) throw new Error(`npm install of ${what.length} packages failed`)
}

// The newest version of each supported line, besides the one that runs this script.
const others = ['22.23.3', '24.21.0', '26.12.1']
const platform = process.platform === 'win32' ? 'win' : process.platform

/** The Node.js that runs this script. */
export const runningNode = [process.versions.node, process.execPath]

/** The tested versions of Node.js, with the program of each. */
export const nodes = (folder) => {
  const wanted = others.filter((version) => version.split('.')[0] !== process.versions.node.split('.')[0])
  const name = `node-${platform}-${process.arch}`
  installIn(
    folder,
    wanted.map((version) => `node-${version}@npm:${name}@${version}`),
  )
  return [
    runningNode,
    ...wanted.map((version) => [version, join(folder, 'node_modules', `node-${version}`, 'bin', 'node')]),
  ]
}
