// Checks the packages that are shipped with the server: the licence of each against an allow-list, known vulnerabilities if the
// registry reports them, and that `npm run sbom` lists all of the packages.
import { spawnSync } from 'node:child_process'
import { audit } from './shipped/audit.mjs'
import { nameAt, shipped } from './shipped/closure.mjs'
import { isAllowed } from './shipped/licences.mjs'

const fail = (text) => {
  console.error(text)
  process.exitCode = 1
}

const { packages, foreign } = shipped()
for (const place of foreign) {
  const { version, license } = packages[place]
  if (!isAllowed(license))
    fail(`${nameAt(place)}@${version}: ${license ?? 'no licence'} is not on the allow-list`)
}
console.log(`licences: ${foreign.length} packages checked`)

const audited = audit()
if (audited.kind === 'found') fail(audited.line)
else console.log(audited.line)

const { stdout, status } = spawnSync(process.execPath, ['scripts/sbom.mjs'], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
})
const listed = new Set(
  status === 0 ? JSON.parse(stdout).components.map(({ name, version }) => `${name}@${version}`) : [],
)
if (status !== 0) fail('npm run sbom failed')
for (const place of foreign)
  if (!listed.has(`${nameAt(place)}@${packages[place].version}`)) fail(`npm run sbom lacks ${nameAt(place)}`)
console.log(`sbom: ${listed.size} components`)
