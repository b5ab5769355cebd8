import { closureOf, isForOneMachine, nameAt, shipped } from '../shipped/closure.mjs'
import { reasons } from '../shipped/reasons.mjs'
import { code, table } from './table.mjs'

const { packages, ours, foreign, direct } = shipped()
const askedBy = direct()

const reasonOf = (name) => {
  if (reasons[name] === undefined)
    throw new Error(`scripts/shipped/reasons.mjs does not say why ${name} is shipped`)
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

/** Which of those that ours ask for bring a package. */
const broughtBy = (place) =>
  [...askedBy.keys()].filter((each) => each !== place && closureOf(packages, each).has(place)).map(nameAt)

const allRows = foreign.map((place) => [
  code(nameAt(place)),
  packages[place].version,
  packages[place].license,
  broughtBy(place).join(', '),
])

const licences = foreign.map((place) => packages[place].license)
const licenceRows = [...new Set(licences)]
  .map((licence) => [licence, licences.filter((each) => each === licence).length])
  .toSorted(([, a], [, b]) => b - a)

const platforms = foreign.filter((place) => isForOneMachine(packages[place])).length

export const whatIsShippedPage = () => `# What is shipped

The server has ${foreign.length} third-party packages besides ${ours.length} of ours. ${platforms} of them are the binaries of the embedded
database; only those for the machine are installed. \`npm run check:shipped\` compares the licences with an allow-list
and asks the registry for known vulnerabilities, if it answers; \`npm run sbom\` prints all packages as a CycloneDX document.
\`swagger-ui-dist\` is copied into the package that serves it, so it is not installed. No script of any package runs when
this repository is set up (\`.npmrc\`).

## Direct dependencies

_Brings_ counts the packages that come with a dependency, also those that others bring too.

${table(['Package', 'Version', 'Licence', 'Asked for by', 'Brings', 'Why'], directRows)}

## Licences

${table(['Licence', 'Packages'], licenceRows)}

## All packages

${table(['Package', 'Version', 'Licence', 'Brought by'], allRows)}
`
