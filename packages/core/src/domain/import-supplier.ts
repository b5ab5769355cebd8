import type { SupplierSettings } from '../settings/supplier-settings.js'
import { interpretationsOf } from '../values/document-path.js'

/** The operator's word on whether accounts of a supplier may be migrated now. */
export const supplierStatuses = ['ongoing', 'paused', 'complete'] as const
export type SupplierStatus = (typeof supplierStatuses)[number]

/** The group that migrated accounts belong to; belongs to one organisation. */
export type ImportSupplier = Readonly<{
  organisation: string
  code: string
  status: SupplierStatus
  settings: SupplierSettings
}>

/** The root of a supplier that was given none: no other organisation's documents lie there. */
export const defaultDocumentRoot = ({
  organisation,
  code,
}: Pick<ImportSupplier, 'organisation' | 'code'>): string => `${organisation}/${code}`

/** Storages may take letters that differ in case or composition for one, and pass over empty segments and those of one dot. */
const comparable = (root: string): string =>
  root
    .normalize('NFKC')
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/')

/** Whether what lies in the inner root lies in the outer one too. The empty root is the whole bucket. */
const holds = (outer: string, inner: string): boolean =>
  outer === '' || outer === inner || inner.startsWith(`${outer}/`)

type Rooted = Pick<ImportSupplier, 'organisation' | 'settings'>

/** A root in every way in which the paths in it are read. */
const readingsOf = ({ settings }: Rooted): readonly string[] =>
  interpretationsOf(settings.documentRoot).map(comparable)

const reaches = (from: Rooted, to: Rooted): boolean =>
  from.organisation !== to.organisation &&
  readingsOf(from).some((outer) => readingsOf(to).some((inner) => holds(outer, inner)))

/** The suppliers of other organisations that this one may not stand beside: their roots are equal, or one lies in the other. */
export const inTheWayOf = (supplier: Rooted, all: readonly ImportSupplier[]): readonly ImportSupplier[] =>
  all.filter((other) => reaches(supplier, other) || reaches(other, supplier))

/** The suppliers that can find out about documents of other organisations, as these lie in their roots. */
export const reachingOthers = (all: readonly ImportSupplier[]): readonly ImportSupplier[] =>
  all.filter((supplier) => all.some((other) => reaches(supplier, other)))
