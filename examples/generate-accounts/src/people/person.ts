import { foreignerNumber, nationalNumber } from '../identifiers/fiscal-code.js'
import type { Random } from '../random/random.js'
import { familyNames, givenNames } from './names.js'

/** A fictitious person. `familyNames`: one or two. */
export type Person = Readonly<{ givenName: string; familyNames: readonly string[]; fiscalCode: string }>

export const somebody = (random: Random): Person => {
  const isForeigner = random.chance(0.06)
  const first = random.pick(familyNames)
  return {
    givenName: random.pick(givenNames),
    familyNames: isForeigner && random.chance(0.5) ? [first] : [first, random.pick(familyNames)],
    fiscalCode: isForeigner ? foreignerNumber(random) : nationalNumber(random),
  }
}

export const fullName = ({ givenName, familyNames: names }: Person): string => [givenName, ...names].join(' ')

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[^a-zA-Z]/g, '')
    .toLowerCase()

/** An address at one of the domains that are reserved for examples. */
export const emailOf = (random: Random, { givenName, familyNames: [family = ''] }: Person): string => {
  const domain = random.pick(['example.com', 'example.org', 'example.net', 'correo.example'])
  return `${plain(givenName)}.${plain(family)}${random.between(1, 9999)}@${domain}`
}
