import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { copyContext } from '../image/context.mjs'

const run = (program, args, cwd) => {
  const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: exit ${status}`)
}

/** Leaves out files that are not needed to run: sources, API reports, and source maps outside the bundle. */
const isShipped = (path) =>
  !['src', 'etc', '.tsbuildinfo'].includes(basename(path)) && !/[/\\]dist[/\\].*\.map$/.test(path)

/** Installs the locked packages for production into a copy of the repository, without running their scripts. */
const installed = (copy) => {
  copyContext(copy)
  const flags = ['--omit=dev', '--workspace=packages/server', '--ignore-scripts', '--no-audit', '--no-fund']
  run('npm', ['ci', '--loglevel=error', ...flags], copy)
}

/**
 * Writes an archive of the built server with all dependencies but Node.js itself: a host unpacks and starts it, without npm and
 * without a compiler. Database drivers are native code, so the name of the archive contains the platform.
 */
export const serverArchive = (folder) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const name = `account-import-${version}-${process.platform}-${process.arch}`
  const work = mkdtempSync(join(tmpdir(), 'release-'))
  try {
    const [copy, target] = [join(work, 'copy'), join(work, name)]
    mkdirSync(copy)
    installed(copy)
    mkdirSync(target)
    cpSync(join(copy, 'node_modules'), join(target, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    for (const each of readdirSync('packages'))
      cpSync(join('packages', each), join(target, 'packages', each), {
        recursive: true,
        filter: (path) => isShipped(path) && basename(path) !== 'node_modules',
      })
    for (const file of ['package.json', 'LICENSE', 'examples/deploy/account-import.service'])
      cpSync(file, join(target, basename(file)))
    const archive = `${name}.tar.gz`
    run('tar', ['-czf', join(folder, archive), '-C', work, name])
    return archive
  } finally {
    rmSync(work, { recursive: true })
  }
}
