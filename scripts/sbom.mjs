// Prints the packages that are shipped with the server as a CycloneDX document. It reads only the lockfile, so that it works on a
// fresh clone and prints the same on every machine. `npm sbom --omit dev` leaves out many packages of workspaces, so npm lists
// all packages, and this script removes those that the server does not need.
import { spawnSync } from 'node:child_process'
import { nameAt, shipped } from './shipped/closure.mjs'

const { packages, foreign, ours } = shipped()
const names = [
  ...foreign.map((place) => `${nameAt(place)}@${packages[place].version}`),
  ...ours.map((place) => `${packages[place].name}@${packages[place].version}`),
]
const isShipped = new Set(names)

const { stdout, status } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
  shell: process.platform === 'win32',
})
if (status !== 0) process.exit(status ?? 1)
const { components, dependencies, ...document } = JSON.parse(stdout)
const kept = components.filter(({ name, version }) => isShipped.has(`${name}@${version}`))
const refs = new Set([...kept, document.metadata.component].map((component) => component['bom-ref']))
const edges = dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }))
console.log(JSON.stringify({ ...document, components: kept, dependencies: edges }, null, 2))
