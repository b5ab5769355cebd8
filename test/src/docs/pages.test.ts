import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import test from 'ava'
import { published } from '../support/published.js'
import { filesBelow, root, textOf } from '../support/repository.js'
import { anchorsOf } from './anchors-of.js'

const pages = filesBelow('.').filter((path) => path.endsWith('.md'))

const homepage = 'https://github.com/account-import/account-import/blob/main/'

/** Pages of packages are read outside the repository too, so they name what is in it by its address. */
const inRepository = (page: string, link: string): readonly [string, string] =>
  link.startsWith(homepage) ? ['README.md', link.slice(homepage.length)] : [page, link]

const isBroken = (page: string, link: string): boolean => {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(root, target))) return true
  return anchor !== undefined && !anchorsOf(target).has(anchor)
}

test('every link between the pages leads somewhere', (t) => {
  const broken = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => link.startsWith(homepage) || !/^[a-z]+:/.test(link))
      .filter((link) => isBroken(...inRepository(page, link)))
      .map((link) => `${page}: ${link}`),
  )
  t.true(pages.length > 20)
  t.deepEqual(broken, [])
})

test('the generated reference is what the code generates', (t) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/generate-reference.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  })
  t.is(status, 0, stderr)
})

test('what the service shows of these pages is what they become, and Swagger UI is as it was published', (t) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build-docs.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  })
  t.is(status, 0, stderr)
})

test('the page of error codes lists exactly the codes of the catalogue, in its order', (t) => {
  const listed = [...textOf('docs/reference/errors.md').matchAll(/^\| \[`(\w+)`\]/gm)].map(([, code]) => code)
  t.deepEqual(listed, [...published.keys()])
})
