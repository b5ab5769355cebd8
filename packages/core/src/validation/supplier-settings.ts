import { detailOf } from '../catalogue/index.js'
import { type FieldError, plainContext } from '../codec/findings.js'
import {
  boolean,
  choice,
  documentPath,
  type Field,
  integer,
  list,
  openLists,
  optional,
  refine,
  required,
  struct,
  term,
} from '../codec/index.js'
import { E } from '../fp.js'
import { bundledMarkets, catalogueOf } from '../rules/markets/bundled-markets.js'
import type { MarketPack } from '../rules/markets/market-pack.js'
import { severities, type SupplierSettings } from '../settings/supplier-settings.js'
import { isEmail } from '../values/contacts.js'
import { check } from './check.js'

/** The settings of a supplier without any configuration: the rules of all markets of the service apply. */
export const initialSettings = (markets: readonly MarketPack[]): SupplierSettings => ({
  severities: {},
  closedLists: {},
  internalEmailDomains: [],
  markets: markets.map(({ market }) => market),
  documentRoot: '',
  migrationEmails: false,
})

/** The initial settings with the bundled markets. */
export const builtInSettings: SupplierSettings = initialSettings(bundledMarkets)

const changeableCodes = (packs: readonly MarketPack[]): readonly string[] =>
  Object.entries(catalogueOf(packs)).flatMap(([code, { changeable }]) => (changeable ? [code] : []))

/** One optional field for each name. */
const byName = <A>(
  names: readonly string[],
  field: Field<A, false>,
): Readonly<Record<string, Field<A, false>>> => Object.fromEntries(names.map((name) => [name, field]))

const members = refine(list(term(65_536)), 'empty', (values) => values.length > 0)

const closedList = struct('closed list', {
  members: required(members),
  severity: required(choice(['error', 'warn'])),
})

const domainName = refine(term(253), 'invalid', (domain) => isEmail(`a@${domain}`), {
  form: 'a domain such as example.com',
})

const languageCode = refine(term(3), 'invalid', (language) => /^[a-z]{2,3}$/.test(language), {
  form: 'a language code such as es',
})

const supplierSettings = (packs: readonly MarketPack[]) =>
  struct('supplier settings', {
    severities: required(struct('severities', byName(changeableCodes(packs), optional(choice(severities))))),
    closedLists: required(struct('closed lists', byName(openLists, optional(closedList)))),
    internalEmailDomains: required(list(domainName)),
    markets: required(list(choice(packs.map(({ market }) => market)))),
    documentRoot: optional(documentPath),
    migrationEmails: required(boolean),
    emailLanguage: optional(languageCode),
    retentionDays: optional(integer(0, 36_500)),
  })

/** In settings an unknown name is an error, so that the operator sees that it has no effect. */
const strict = {
  ...plainContext,
  settings: { ...plainContext.settings, severities: { unknown_field: 'error' as const } },
}

const inWordsOfSettings = (fault: FieldError): FieldError =>
  fault.code === 'unknown_field'
    ? {
        ...fault,
        code: 'invalid_choice',
        detail: detailOf('invalid_choice', { allowed: namesFor(fault.attr) }),
      }
    : fault

const namesFor = (attr: string): string => {
  if (attr.startsWith('closedLists')) return openLists.join(', ')
  return attr.startsWith('severities') ? 'the changeable codes of the catalogue' : 'the known settings'
}

/**
 * All faults of a supplier's settings, empty if they can be saved. Settings may contain severities of changeable codes only,
 * closed lists of the known names with 1 to 10 000 members, markets of this service, and a document root that is empty or in the
 * form of a document path.
 */
export const settingsFaults = (
  { documentRoot, ...settings }: SupplierSettings,
  packs: readonly MarketPack[] = bundledMarkets,
): readonly FieldError[] => {
  // An empty root is allowed, unlike an empty document path: it means the bucket itself.
  const checked = check(
    supplierSettings(packs),
    documentRoot === '' ? settings : { ...settings, documentRoot },
    strict,
  )
  return E.isLeft(checked) ? checked.left.errors.map(inWordsOfSettings) : []
}
