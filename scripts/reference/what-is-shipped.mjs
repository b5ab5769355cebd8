import { closureOf, isForOneMachine, nameAt, shipped } from '../shipped/closure.mjs'
import { reasons } from '../shipped/reasons.mjs'
import { code } from './table.mjs'

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
  .map(([place, by]) => {
    const { version, license } = packages[place]
    const facts = [version, license, closureOf(packages, place).size - 1, by.join(' ')]
    return `- ${code(nameAt(place))} (${facts.join(', ')}): ${reasonOf(nameAt(place))}`
  })

const licences = foreign.map((place) => packages[place].license)
const licenceRows = [...new Set(licences)]
  .map((licence) => [licence, licences.filter((each) => each === licence).length])
  .toSorted(([, a], [, b]) => b - a)

const platforms = foreign.filter((place) => isForOneMachine(packages[place])).length

export const whatIsShippedPage = () => `# What is shipped

The server has ${foreign.length} third-party packages and ${ours.length} of ours. ${platforms} of them are the binaries of the embedded
database; npm installs only those for the machine. \`npm run check:shipped\` compares the licences with an allow-list
and checks the registry for known vulnerabilities; \`npm run sbom\` prints all packages as a CycloneDX document. The set-up runs no script of a package
(\`.npmrc\`).

## Direct dependencies

In parentheses stand version, licence, the number of packages that the dependency installs, also if others install them too, and our packages that depend on it.

${directRows.join('\n')}

## Licences

${licenceRows.map(([licence, packagesOf]) => `${licence}: ${packagesOf}`).join(', ')}.
`
