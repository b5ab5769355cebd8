import type { ComparedData } from '../ports/account-imports.js'
import type { StorePorts } from '../ports/index.js'
import { after, aStaging, freshKey, freshSupplier, keyOf, start } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'
import { createdFrom } from './held-account.js'

/** Accounts of these cases were created from `{"a":"staged"}`. */
const [asStaged, otherText, otherData] = ['{"a":"staged"}', ' { "a": "\\u0073taged" }\n', '{"a":"changed"}']

const compare = (ports: StorePorts, compared: readonly ComparedData[]) =>
  right(ports.accountImports.sameData(compared))

/** Data beside accounts that exist. */
export const sameDataCases = casesOf<StorePorts>('AccountImports', {
  'the same values are the same data, whatever their text; what is staged is always the same': async (
    ports,
  ) => {
    const key = await freshKey(ports)
    await createdFrom(ports, key)
    for (const [payload, isSame] of [
      [asStaged, true],
      [otherText, true],
      [otherData, false],
      ['{"a":"staged","b":1}', false],
      ['{}', false],
      ['["staged"]', false],
    ] as const)
      equal(await compare(ports, [{ key, payload }]), [isSame], payload)
    equal(await compare(ports, [{ key }]), [true])
  },
  'without an account there is nothing to compare with': async (ports) => {
    const supplier = await freshSupplier(ports)
    const [staged, unknown] = [keyOf(supplier, 'staged'), keyOf(supplier, 'unknown')]
    await right(ports.accountImports.stage([aStaging(staged, asStaged)]))
    for (const key of [staged, unknown])
      for (const data of [{ key }, { key, payload: asStaged }])
        equal(await compare(ports, [data]), [undefined])
  },
  'of many accounts each is compared with its own data, in their order, by each supplier': async (ports) => {
    const suppliers = [await freshSupplier(ports), await freshSupplier(ports)]
    const keys = Array.from({ length: 20 }, (_, index) => `n-${index}`).flatMap((number) =>
      suppliers.map((supplier) => keyOf(supplier, number)),
    )
    const kept = keys.filter((_, index) => index % 5 !== 0)
    for (const key of kept) await createdFrom(ports, key)
    const texts = [asStaged, otherText, otherData]
    const compared = keys.map((key, index) => ({ key, payload: texts[index % 3] as string }))
    equal(
      await compare(ports, compared),
      keys.map((_, index) => (index % 5 === 0 ? undefined : index % 3 < 2)),
    )
  },
  'once its payload was removed, an account is compared by the text alone': async (ports) => {
    const key = await freshKey(ports)
    const { organisation, importSupplier } = key
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
  'of an erased account nothing is left to compare with, unless it was let in again': async (ports) => {
    const supplier = await freshSupplier(ports)
    const [erased, again] = [keyOf(supplier, 'erased'), keyOf(supplier, 'again')]
    await createdFrom(ports, erased)
    await right(ports.personalData.erase(erased, after(1)))
    await right(ports.accountImports.stage([aStaging(again)]))
    await right(ports.personalData.erase(again, after(1)))
    await right(ports.accountImports.setSkipped(again, false, after(2)))
    await createdFrom(ports, again, after(3))
    for (const payload of [asStaged, otherData])
      equal(await compare(ports, [{ key: erased, payload }]), [undefined])
    equal(await compare(ports, [{ key: erased }]), [undefined])
    equal(await compare(ports, [{ key: again, payload: otherText }]), [true])
  },
})
