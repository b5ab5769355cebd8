import type { AccountKey } from '../domain/account-import.js'
import type { ComparedData } from '../ports/account-imports.js'
import { storedPageBytes } from '../ports/accounts.js'
import type { StorePorts } from '../ports/index.js'
import {
  aClaim,
  aCreation,
  after,
  aSmallAccount,
  aStaging,
  claimed,
  created,
  freshCode,
  freshKey,
  freshSupplier,
  keyOf,
  start,
} from './builders.js'
import { casesOf, equal, right } from './contract-case.js'
import { createdFrom } from './held-account.js'
import { payloadOf } from './payload-of.js'

/** The data that the account of the key is created from, the same values as another text, and other data. */
const dataOf = (key: AccountKey) => {
  const asStaged = payloadOf(aSmallAccount(key))
  return {
    asStaged,
    otherText: ` ${asStaged.replace('"DOMESTIC"', '"\\u0044OMESTIC" ')}\n`,
    otherData: asStaged.replace('"DOMESTIC"', '"BUSINESS"'),
  }
}

const compare = (ports: StorePorts, compared: readonly ComparedData[]) =>
  right(ports.accountImports.sameData(compared))

/** Staging accounts, and comparing data with the data that an account was created from. */
export const stagingCases = casesOf<StorePorts>('AccountImports', {
  'data with warnings is created with them, or is to be validated': async (ports) => {
    const key = await freshKey(ports)
    const warnings = [{ detail: 'Unknown.', code: 'unknown_field', attr: 'colour' }] as const
    await right(ports.accountImports.stage([{ ...aStaging(key), warnings }]))
    const [outcome] = await right(ports.accountImports.create([aCreation(key, after(1))]))
    equal(
      outcome,
      outcome?._tag === 'needs_validation' ? { _tag: 'needs_validation' } : { _tag: 'created', warnings },
    )
  },
  'the first staging creates the import, a further one replaces its data and counts a version': async (
    ports,
  ) => {
    const key = await freshKey(ports)
    equal(await right(ports.accountImports.find(key)), undefined)
    equal(await right(ports.accountImports.stage([aStaging(key, '{"n":1}')])), [
      { _tag: 'created', version: 1 },
    ])
    equal(await right(ports.accountImports.stage([aStaging(key, '{"n":2}')])), [
      { _tag: 'replaced', version: 2 },
    ])
    equal((await right(ports.accountImports.staged([key])))[0], { version: 2, payload: '{"n":2}' })
    equal(await right(ports.accountImports.find(key)), {
      key,
      stagedVersion: 2,
      skipped: false,
      claim: undefined,
      attempts: 0,
      latestFailure: undefined,
      created: undefined,
    })
  },
  'a payload is returned unchanged': async (ports) => {
    const key = await freshKey(ports)
    const payload = `{"b":1,"a":"\\u0000 \u{1F600} é e\u0301 \\\\ ' \\" % ${'x'.repeat(70_000)}","n":1.50}\n `
    await right(ports.accountImports.stage([aStaging(key, payload)]))
    equal((await right(ports.accountImports.staged([key])))[0]?.payload, payload)
  },
  'numbers that differ in case, accents, composition or outer spaces are different imports': async (
    ports,
  ) => {
    const supplier = await freshSupplier(ports)
    const numbers = [
      'ABC',
      'abc',
      'ABC ',
      ' ABC',
      '\u00e9',
      'e\u0301',
      'e',
      'ß',
      'ss',
      'a/b',
      'a%2Fb',
      '\u{1F600}',
    ]
    const stagings = numbers.map((number) => aStaging(keyOf(supplier, number), JSON.stringify(number)))
    const outcomes = await right(ports.accountImports.stage(stagings))
    equal(
      outcomes,
      numbers.map(() => ({ _tag: 'created', version: 1 })),
    )
    for (const number of numbers)
      equal(
        (await right(ports.accountImports.staged([keyOf(supplier, number)])))[0]?.payload,
        JSON.stringify(number),
      )
  },
  'a list has one outcome for each item, in its order, and refused items change nothing': async (ports) => {
    const supplier = await freshSupplier(ports)
    const key = (name: string) => keyOf(supplier, name)
    const [fresh, busy, skipped, done] = [key('d'), key('c'), key('b'), key('a')]
    await claimed(ports, busy)
    await right(ports.accountImports.setSkipped(skipped, true, start))
    const { platformAccountNumber } = await created(ports, aSmallAccount(done))
    const stagings = [fresh, busy, skipped, done].map((key) => aStaging(key, '{"new":true}', after(1)))
    equal(await right(ports.accountImports.stage(stagings)), [
      { _tag: 'created', version: 1 },
      { _tag: 'in_progress' },
      { _tag: 'marked_to_skip' },
      { _tag: 'already_imported', platformAccountNumber },
    ])
    equal((await right(ports.accountImports.staged([busy])))[0]?.payload, '{"a":1}')
    equal((await right(ports.accountImports.staged([skipped])))[0], undefined)
  },
  'concurrent stagings of one key are each whole and count one version': async (ports) => {
    const key = await freshKey(ports)
    const payloads = Array.from({ length: 20 }, (_, index) => `{"n":${index}}`)
    const outcomes = await Promise.all(
      payloads.map((payload) => right(ports.accountImports.stage([aStaging(key, payload)]))),
    )
    const versions = outcomes.flat().map((outcome) => ('version' in outcome ? outcome.version : 0))
    equal(
      versions.sort((a, b) => a - b),
      payloads.map((_, index) => index + 1),
    )
    const [staged] = await right(ports.accountImports.staged([key]))
    equal([staged?.version, payloads.includes(staged?.payload ?? '')], [20, true])
  },
  'the data of several keys is read in their order, as many as have texts of 2 MiB together, and one at least':
    async (ports) => {
      const supplier = await freshSupplier(ports)
      const lengths = [storedPageBytes + 1, 10, storedPageBytes / 2, storedPageBytes / 2, 10]
      const texts = new Map(
        lengths.map((length, index) => [
          keyOf(supplier, `n-${9 - index}`),
          JSON.stringify('x'.repeat(length - 2)),
        ]),
      )
      const keys = [...texts.keys()]
      for (const [key, text] of texts) await right(ports.accountImports.stage([aStaging(key, text)]))
      const read = async (...wanted: readonly AccountKey[]) => {
        const found = await right(ports.accountImports.staged(wanted))
        equal(
          found.map((data) => data?.payload),
          wanted.slice(0, found.length).map((key) => texts.get(key)),
        )
        return found.length
      }
      equal(await right(ports.accountImports.staged([])), [])
      equal(await read(...keys), 1)
      equal(await read(...keys.slice(1)), 2)
      equal(await read(...keys.slice(3)), 2)
      equal(await read(...keys.slice(1, 2), ...keys.slice(0, 1), ...keys.slice(2)), 1)
      equal(await read(keyOf(supplier, 'unknown'), ...keys.slice(1)), 3)
      equal(
        await right(
          ports.unitOfWork.run(supplier.organisation, ({ accountImports }) => accountImports.staged(keys)),
        ),
        await right(ports.accountImports.staged(keys)),
      )
    },
  'staging over an expired claim ends it: its owner cannot create the account': async (ports) => {
    const key = await freshKey(ports)
    const token = await claimed(ports, key)
    equal(await right(ports.accountImports.stage([aStaging(key, '{"late":1}', after(61))])), [
      { _tag: 'replaced', version: 2 },
    ])
    const creation = { ...aCreation(key, after(62)), token }
    equal(await right(ports.accountImports.create([creation])), [{ _tag: 'claim_lost' }])
    equal((await right(ports.accountImports.find(key)))?.created, undefined)
  },
  'a mark to skip refuses staging and claims until it is removed, and keeps the staged data': async (
    ports,
  ) => {
    const key = await freshKey(ports)
    await right(ports.accountImports.stage([aStaging(key)]))
    equal(await right(ports.accountImports.setSkipped(key, true, start)), 'changed')
    equal(await right(ports.accountImports.setSkipped(key, true, start)), 'unchanged')
    equal(await right(ports.accountImports.stage([aStaging(key)])), [{ _tag: 'marked_to_skip' }])
    equal(await right(ports.accountImports.claim([aClaim(key, freshCode('token'))])), [
      { _tag: 'marked_to_skip' },
    ])
    equal(await right(ports.accountImports.setSkipped(key, false, start)), 'changed')
    equal(
      (await right(ports.accountImports.claim([aClaim(key, freshCode('token'))]))).map(({ _tag }) => _tag),
      ['claimed'],
    )
    equal(await right(ports.accountImports.setSkipped(key, true, after(1))), 'in_progress')
  },
  'equal values are the same data, with any text; the staged data is always the same': async (ports) => {
    const key = await freshKey(ports)
    const { asStaged, otherText, otherData } = dataOf(key)
    await createdFrom(ports, key)
    for (const [payload, isSame] of [
      [asStaged, true],
      [otherText, true],
      [otherData, false],
      [asStaged.replace('{', '{"b":1,'), false],
      ['{}', false],
      [`[${asStaged}]`, false],
    ] as const)
      equal(await compare(ports, [{ key, payload }]), [isSame], payload)
    equal(await compare(ports, [{ key }]), [true])
  },
  'without an account the comparison is undefined': async (ports) => {
    const supplier = await freshSupplier(ports)
    const [staged, unknown] = [keyOf(supplier, 'staged'), keyOf(supplier, 'unknown')]
    const { asStaged } = dataOf(staged)
    await right(ports.accountImports.stage([aStaging(staged, asStaged)]))
    for (const key of [staged, unknown])
      for (const data of [{ key }, { key, payload: asStaged }])
        equal(await compare(ports, [data]), [undefined])
  },
  'each of many accounts is compared with its own data, in their order, over several suppliers': async (
    ports,
  ) => {
    const suppliers = [await freshSupplier(ports), await freshSupplier(ports)]
    const keys = Array.from({ length: 20 }, (_, index) => `n-${index}`).flatMap((number) =>
      suppliers.map((supplier) => keyOf(supplier, number)),
    )
    const kept = keys.filter((_, index) => index % 5 !== 0)
    for (const key of kept) await createdFrom(ports, key)
    const compared = keys.map((key, index) => {
      const { asStaged, otherText, otherData } = dataOf(key)
      return { key, payload: [asStaged, otherText, otherData][index % 3] as string }
    })
    equal(
      await compare(ports, compared),
      keys.map((_, index) => (index % 5 === 0 ? undefined : index % 3 < 2)),
    )
  },
  'after its payload was removed, an account is compared by the text alone': async (ports) => {
    const key = await freshKey(ports)
    const { organisation, importSupplier } = key
    const { asStaged, otherText, otherData } = dataOf(key)
    await createdFrom(ports, key)
    const due = { organisation, importSupplier, createdBy: start, at: after(1), limit: 1 }
    equal(await right(ports.personalData.removePayloads(due)), 1)
    for (const [payload, isSame] of [
      [asStaged, true],
      [otherText, false],
      [otherData, false],
    ] as const)
      equal(await compare(ports, [{ key, payload }]), [isSame], payload)
    equal(await compare(ports, [{ key }]), [true])
  },
  'the comparison with an erased account is undefined, unless it was unskipped and created again': async (
    ports,
  ) => {
    const supplier = await freshSupplier(ports)
    const [erased, again] = [keyOf(supplier, 'erased'), keyOf(supplier, 'again')]
    await createdFrom(ports, erased)
    await right(ports.personalData.erase(erased, after(1)))
    await right(ports.accountImports.stage([aStaging(again)]))
    await right(ports.personalData.erase(again, after(1)))
    await right(ports.accountImports.setSkipped(again, false, after(2)))
    await createdFrom(ports, again, after(3))
    const { asStaged, otherData } = dataOf(erased)
    for (const payload of [asStaged, otherData])
      equal(await compare(ports, [{ key: erased, payload }]), [undefined])
    equal(await compare(ports, [{ key: erased }]), [undefined])
    equal(await compare(ports, [{ key: again, payload: dataOf(again).otherText }]), [true])
  },
})
