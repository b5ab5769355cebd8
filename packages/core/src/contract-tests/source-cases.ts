import type { Clock, Secrets } from '../ports/secrets.js'
import type { PlatformAccountNumbers } from '../ports/accounts.js'
import { isInstant } from '../values/instant.js'
import { casesOf, equal, right } from './contract-case.js'

const many = Array.from({ length: 1000 })

/** Every clock. */
export const clockCases = casesOf<Clock>('Clock', {
  'it tells instants of exactly the form that compares as text': async (clock) => {
    const told = clock.now()
    equal([isInstant(told), told.length], [true, '2025-09-01T10:00:00.000Z'.length])
  },
})

/** Every source of secrets. */
export const secretsCases = casesOf<Secrets>('Secrets', {
  'each secret is new and has 43 characters that carry 256 bits': async (secrets) => {
    const made = many.map(() => secrets.generate())
    equal(new Set(made).size, made.length)
    equal(
      made.filter((secret) => !/^[A-Za-z0-9_-]{43}$/.test(secret)),
      [],
    )
  },
  'a hash is the SHA-256 of the text in UTF-8, in lower-case hexadecimal digits': async (secrets) => {
    const known = {
      abc: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      é: '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c',
    }
    for (const [text, hash] of Object.entries(known)) equal(await secrets.hash(text), hash)
  },
})

/** Every source of platform account numbers. */
export const platformAccountNumberCases = casesOf<PlatformAccountNumbers>('PlatformAccountNumbers', {
  'each number is new and has the documented form, also of those asked for at the same time': async (
    numbers,
  ) => {
    const made = await Promise.all(many.map(() => right(numbers.next())))
    equal(new Set(made).size, made.length)
    equal(
      made.filter((number) => !/^[A-Z0-9-]{1,32}$/.test(number)),
      [],
    )
  },
})
