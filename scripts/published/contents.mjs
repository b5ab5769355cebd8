import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const place = (name) => join('packages', name.slice(name.indexOf('/') + 1))

/**
 * Debuggers and editors follow source maps, so the package must contain the sources. The maps of the bundle are for stack traces
 * only: most of its sources are in other packages.
 */
const lostSources = (name, paths) =>
  paths
    .filter((path) => path.endsWith('.map') && !path.startsWith('bundle/'))
    .flatMap((path) =>
      JSON.parse(readFileSync(join(place(name), path), 'utf8')).sources.map((source) =>
        posix.join(posix.dirname(path), source),
      ),
    )
    .filter((source) => !paths.includes(source))

/** Links that are broken outside of the repository. */
const relativeLinks = (name) =>
  [...readFileSync(join(place(name), 'README.md'), 'utf8').matchAll(/\]\(([^)]*)\)/g)]
    .map(([, link]) => link)
    .filter((link) => !/^https:|^#/.test(link))

/** The faults of the files of a tarball. */
export const contents = ({ name, paths }) => [
  ...['LICENSE', 'README.md', 'package.json']
    .filter((path) => !paths.includes(path))
    .map((path) => `${name} lacks ${path}`),
  ...paths.filter((path) => path.endsWith('.tsbuildinfo')).map((path) => `${name} has ${path}`),
  ...lostSources(name, paths).map((source) => `${name} has a map of ${source}, and not that file`),
  ...relativeLinks(name).map(
    (link) => `the README of ${name} has the link ${link}, which works in the repository alone`,
  ),
]
