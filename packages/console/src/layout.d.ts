import type { Scope } from '@account-import/core'
import { type Html } from '@account-import/core/html'
/**
 * The surroundings of a page. `root`: the relative address of the folder of `console/` and `docs/`; `scopes`: those of the
 * visitor, none before the login; `hasPage`: whether the documentation has a page of a code.
 */
export type Frame = Readonly<{
  root: string
  scopes: readonly Scope[]
  who: string | undefined
  hasLogOut: boolean
  hasPage: (code: string) => boolean
}>
/** The pages of the menu, by their folder below `console/`, with the scopes that each needs. */
export declare const menu: readonly [
  {
    readonly folder: ''
    readonly title: 'Overview'
    readonly scopes: readonly ['read']
  },
  {
    readonly folder: 'runs/'
    readonly title: 'Runs'
    readonly scopes: readonly ['read']
  },
  {
    readonly folder: 'accounts/'
    readonly title: 'Accounts'
    readonly scopes: readonly ['read']
  },
  {
    readonly folder: 'check/'
    readonly title: 'Check a file'
    readonly scopes: readonly ['validate']
  },
  {
    readonly folder: 'proof/'
    readonly title: 'Proof'
    readonly scopes: readonly ['read']
  },
]
/** Where the visitor is: the page of the menu, which is marked there. */
export type Folder = (typeof menu)[number]['folder']
/**
 * A page. `script`: the name of a module in `console/assets/`;
 * `isHeaded`: the parts have the first heading.
 */
export type Page = Readonly<{
  title: string
  folder?: Folder
  parts: Html
  script?: string
  isHeaded?: boolean
}>
/** The beginning of a page, up to the first heading; `pageEnd` follows its content. */
export declare const pageStart: (
  frame: Frame,
  { title, folder, script, isHeaded }: Omit<Page, 'parts'>,
) => Html
export declare const pageEnd: Html
export declare const wholePage: (frame: Frame, page: Page) => string
//# sourceMappingURL=layout.d.ts.map
