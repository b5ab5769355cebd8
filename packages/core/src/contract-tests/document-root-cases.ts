import type { StorePorts } from '../ports/index.js'
import { defaultServiceSettings } from '../ports/settings.js'
import { type SupplierUseCases, supplierUseCases } from '../use-cases/operator/suppliers.js'
import { foundSupplier, freshCode, freshSupplier, start } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

const operatorOn = (stores: StorePorts): SupplierUseCases =>
  supplierUseCases({ ...stores, settings: defaultServiceSettings, clock: { now: () => start } })

const outcomeOf = async (answer: ReturnType<SupplierUseCases['createSupplier']>): Promise<string> => {
  const either = await answer()
  return either._tag === 'Left' ? either.left._tag : either.right.settings.documentRoot
}

/** How the documents of organisations are kept apart. */
export const documentRootCases = casesOf<StorePorts>('ImportSuppliers', {
  'a supplier has a document root of its own, which may be shared within its organisation alone': async (
    ports,
  ) => {
    const { createSupplier: create } = operatorOn(ports)
    const [{ organisation }, other] = [await freshSupplier(ports), await freshSupplier(ports)]
    const first = freshCode('SUP')
    equal(await outcomeOf(create({ code: first, organisation })), `${organisation}/${first}`)
    const root = freshCode('Root')
    const rooted = (documentRoot: string, of: string) =>
      outcomeOf(create({ code: freshCode('SUP'), organisation: of, documentRoot }))
    equal(await rooted(`${root}/in`, organisation), `${root}/in`)
    const near = [`${root}/in`, `${root}/in/deeper`, root, `${root.toUpperCase()}/IN`]
    const readAlike = [
      `${root}%2Fin`,
      `${root}%252fin`,
      `${root}/%69n`,
      `${root}%2F.%2Fin`,
      `${root}%2f%2fin/deeper`,
    ]
    for (const documentRoot of [...near, ...readAlike])
      equal(await rooted(documentRoot, other.organisation), 'DocumentRootTaken')
    for (const documentRoot of near.slice(0, 3)) equal(await rooted(documentRoot, organisation), documentRoot)
    for (const documentRoot of [`${root}-2`, `${root}x/in`])
      equal(await rooted(documentRoot, other.organisation), documentRoot)
  },
  'a document root is not changed to one that meets another organisation, and other settings are': async (
    ports,
  ) => {
    const { configureSupplier: configure } = operatorOn(ports)
    const [supplier, other] = [await freshSupplier(ports), await freshSupplier(ports)]
    const change = (documentRoot: string) =>
      outcomeOf(configure({ code: supplier.code, change: (settings) => ({ ...settings, documentRoot }) }))
    for (const root of [
      other.settings.documentRoot,
      `${other.settings.documentRoot}/in`,
      other.organisation,
      '',
    ])
      equal(await change(root), 'DocumentRootTaken')
    equal(await foundSupplier(ports, supplier.organisation, supplier.code), supplier)
    const free = freshCode('root')
    equal(await change(free), free)
    const overlapping = { ...supplier.settings, documentRoot: other.settings.documentRoot }
    await right(
      ports.importSuppliers.saveSettings(
        supplier.code,
        { ...supplier.settings, documentRoot: free },
        overlapping,
      ),
    )
    const configured = await right(
      configure({ code: supplier.code, change: (settings) => ({ ...settings, retentionDays: 5 }) }),
    )
    equal(configured.settings, { ...overlapping, retentionDays: 5 })
  },
})
