import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The paths that `.dockerignore` includes: it has the forms `*`, then `!path`, then names at any depth. */
const kept = () => {
  const patterns = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const again = patterns.filter((each) => each.startsWith('!')).map((each) => each.slice(1))
  const names = patterns.filter((each) => each.startsWith('**/')).map((each) => each.slice(3))
  if (patterns.length !== 1 + again.length + names.length || patterns[0] !== '*')
    throw new Error('.dockerignore has a pattern that cannot be simulated')
  return (path) =>
    again.some((each) => path === each || path.startsWith(`${each}/`)) &&
    !path.split('/').some((name) => names.includes(name))
}

/** Copies the files of `COPY . .`, limited to tracked files and untracked ones that git does not ignore. */
export const copyContext = (target) => {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  for (const path of stdout.split('\n').filter(kept())) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    cpSync(path, join(target, path))
  }
}
