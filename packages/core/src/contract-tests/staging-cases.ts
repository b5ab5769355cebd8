import type { StorePorts } from '../ports/index.js'
import {
  aClaim,
  after,
  aStaging,
  claimed,
  freshCode,
  freshKey,
  freshNumber,
  freshSupplier,
  keyOf,
  start,
} from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

/** Staging and what is known of an import. */
export const stagingCases = casesOf<StorePorts>('AccountImports', {
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
    equal(await right(ports.accountImports.staged(key)), { version: 2, payload: '{"n":2}' })
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
  'a payload comes back to the letter': async (ports) => {
    const key = await freshKey(ports)
    const payload = `{"b":1,"a":"\\u0000 \u{1F600} é e\u0301 \\\\ ' \\" % ${'x'.repeat(70_000)}","n":1.50}\n `
    await right(ports.accountImports.stage([aStaging(key, payload)]))
    equal((await right(ports.accountImports.staged(key)))?.payload, payload)
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
        (await right(ports.accountImports.staged(keyOf(supplier, number))))?.payload,
        JSON.stringify(number),
      )
  },
  'a list answers one outcome for each item, in its order, and refused items change nothing': async (
    ports,
  ) => {
    const supplier = await freshSupplier(ports)
    const [fresh, busy, skipped, done] = ['d', 'c', 'b', 'a'].map((name) => keyOf(supplier, name)) as [
      ReturnType<typeof keyOf>,
      ReturnType<typeof keyOf>,
      ReturnType<typeof keyOf>,
      ReturnType<typeof keyOf>,
    ]
    await claimed(ports, busy)
    await right(ports.accountImports.setSkipped(skipped, true, start))
    const token = await claimed(ports, done)
    const platformAccountNumber = freshNumber()
    await right(ports.accountImports.complete([{ key: done, token, platformAccountNumber, at: start }]))
    const stagings = [fresh, busy, skipped, done].map((key) => aStaging(key, '{"new":true}', after(1)))
    equal(await right(ports.accountImports.stage(stagings)), [
      { _tag: 'created', version: 1 },
      { _tag: 'in_progress' },
      { _tag: 'marked_to_skip' },
      { _tag: 'already_imported', platformAccountNumber },
    ])
    equal((await right(ports.accountImports.staged(busy)))?.payload, '{"a":1}')
    equal(await right(ports.accountImports.staged(skipped)), undefined)
  },
  'of stagings of one key at the same time each is whole and counts one version': async (ports) => {
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
    const staged = await right(ports.accountImports.staged(key))
    equal([staged?.version, payloads.includes(staged?.payload ?? '')], [20, true])
  },
  'staging over an expired claim ends it: its owner can complete nothing': async (ports) => {
    const key = await freshKey(ports)
    const token = await claimed(ports, key)
    equal(await right(ports.accountImports.stage([aStaging(key, '{"late":1}', after(61))])), [
      { _tag: 'replaced', version: 2 },
    ])
    const completion = { key, token, platformAccountNumber: freshNumber(), at: after(62) }
    equal(await right(ports.accountImports.complete([completion])), ['claim_lost'])
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
})
