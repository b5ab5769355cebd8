import { closureOf, isForOneMachine, nameAt, shipped } from '../shipped/closure.mjs'
import { reasons } from '../shipped/reasons.mjs'
import { code, table } from './table.mjs'

const { packages, ours, foreign, direct } = shipped()
const askedBy = direct()

const reasonOf = (name) => {
  if (reasons[name] === undefined) throw new Error(`scripts/shipped/reasons.mjs has no reason for ${name}`)
  return reasons[name]
}

const names = new Set([...askedBy.keys()].map(nameAt))
for (const name of Object.keys(reasons))
  if (!names.has(name))
    throw new Error(`scripts/shipped/reasons.mjs has a reason for ${name}, which is not shipped`)

const directRows = [...askedBy]
  .toSorted(([a], [b]) => (nameAt(a) < nameAt(b) ? -1 : 1))
  .map(([place, by]) => [
    code(nameAt(place)),
    packages[place].version,
    packages[place].license,
    by.join(', '),
    closureOf(packages, place).size - 1,
    reasonOf(nameAt(place)),
  ])

const licences = foreign.map((place) => packages[place].license)
const licenceRows = [...new Set(licences)]
  .map((licence) => [licence, licences.filter((each) => each === licence).length])
  .toSorted(([, a], [, b]) => b - a)

const platforms = foreign.filter((place) => isForOneMachine(packages[place])).length

export const whatIsShippedPage = () => `# What is shipped

The server has ${foreign.length} third-party packages and ${ours.length} of ours. ${platforms} of them are the binaries of the embedded
database; npm installs only those for the machine. \`npm run check:shipped\` compares the licences with an allow-list
and checks the registry for known vulnerabilities, if it is reachable; \`npm run sbom\` prints all packages as a CycloneDX document.
The build copies \`swagger-ui-dist\` into the package that serves it, so it is not installed. The set-up of this repository runs no script
of a package (\`.npmrc\`).

## Direct dependencies

_Brings_ is the number of packages that a dependency installs, also if other dependencies install them too.

${table(['Package', 'Version', 'Licence', 'Dependency of', 'Brings', 'Purpose'], directRows)}

## Licences

${table(['Licence', 'Packages'], licenceRows)}
`
