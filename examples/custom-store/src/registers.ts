import {
  portCall,
  type FoundSupplier,
  type ImportSupplier,
  type ImportSuppliers,
  type Instant,
  type Organisations,
} from '@account-import/core'
import { isDeepStrictEqual } from 'node:util'
import { sorted } from './pages.js'
import type { Access } from './turns.js'
import type { View } from './view.js'

const disableSince = (
  view: View,
  code: string,
  next: (since: Instant | undefined) => Instant | undefined,
): boolean => {
  const found = view.get('organisations', code)
  if (found) view.put('organisations', code, { ...found, disabledAt: next(found.disabledAt) })
  return found !== undefined
}

export const organisations = ({ read, change }: Access): Organisations => {
  const call = portCall('organisations')
  return {
    create: (organisation) =>
      call('create', () =>
        change((view) => {
          if (view.get('organisations', organisation.code)) return 'code_taken'
          view.put('organisations', organisation.code, organisation)
          return 'created'
        }),
      ),
    find: (code) => call('find', () => read((view) => view.get('organisations', code))),
    disable: (code, at) =>
      call('disable', () => change((view) => disableSince(view, code, (since) => since ?? at))),
    enable: (code) => call('enable', () => change((view) => disableSince(view, code, () => undefined))),
    list: () => call('list', () => read((view) => sorted(view.rows('organisations'), ({ code }) => code))),
  }
}

const changeSupplier = (view: View, code: string, changed: Partial<ImportSupplier>): boolean => {
  const found = view.get('suppliers', code)
  if (found) view.put('suppliers', code, { ...found, ...changed })
  return found !== undefined
}

/** The supplier, if it belongs to the organisation. */
export const supplierOf = (view: View, organisation: string, code: string): FoundSupplier | undefined => {
  const found = view.get('suppliers', code)
  if (found?.organisation !== organisation) return undefined
  return { ...found, revision: JSON.stringify([found.status, found.settings]) }
}

export const importSuppliers = ({ read, change }: Access): ImportSuppliers => {
  const call = portCall('importSuppliers')
  return {
    find: (organisation, code) => call('find', () => read((view) => supplierOf(view, organisation, code))),
    findByCode: (code) => call('findByCode', () => read((view) => view.get('suppliers', code))),
    create: (supplier) =>
      call('create', () =>
        change((view) => {
          if (view.get('suppliers', supplier.code)) return 'code_taken'
          if (!view.get('organisations', supplier.organisation)) return 'organisation_does_not_exist'
          view.put('suppliers', supplier.code, supplier)
          return 'created'
        }),
      ),
    setStatus: (code, status) =>
      call('setStatus', () => change((view) => changeSupplier(view, code, { status }))),
    saveSettings: (code, before, settings) =>
      call('saveSettings', () =>
        change((view) => {
          const found = view.get('suppliers', code)
          if (!found) return 'does_not_exist'
          if (!isDeepStrictEqual(found.settings, before)) return 'changed_meanwhile'
          changeSupplier(view, code, { settings })
          return 'saved'
        }),
      ),
    list: () => call('list', () => read((view) => sorted(view.rows('suppliers'), ({ code }) => code))),
  }
}
