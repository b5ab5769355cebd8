// What runs inside a page, as text: it is compiled for browsers, and this folder is not.

/** Before anything of the page: what its policy refuses is kept. */
export const keepViolations = `
  window.refused = []
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    window.refused.push(effectiveDirective + ' refused ' + blockedURI))
`

export const violations = 'window.refused'

/** Unfolds what is folded. */
export const unfold = `for (const each of document.querySelectorAll('details')) each.open = true`

/** Whether the page can be scrolled sideways, and the text or element that reaches furthest to the right. */
export const tooWide = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const nodes = document.createTreeWalker(document.body)
  let furthest = { right: 0 }
  while (nodes.nextNode()) {
    const range = document.createRange()
    range.selectNode(nodes.currentNode)
    const { right } = range.getBoundingClientRect()
    if (right >= furthest.right) furthest = { right, text: nodes.currentNode.textContent }
  }
  return [scrollWidth + ' pixels wide in a window of ' + clientWidth + ': ' + furthest.text?.trim().slice(0, 120)]
})()`

/** Kinds of elements that the keyboard reaches and that look no different then. A key has to have been pressed before. */
export const unseenFocus = `(() => {
  const kinds = new Map()
  for (const each of document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]'))
    if (each.checkVisibility()) kinds.set(each.tagName + ' ' + each.className, each)
  const look = (each) => {
    const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor } = getComputedStyle(each)
    return [outlineStyle, outlineStyle === 'none' ? '' : outlineWidth, boxShadow, borderColor, backgroundColor].join()
  }
  return [...kinds].filter(([, each]) => {
    each.blur()
    const before = look(each)
    each.focus()
    return document.activeElement === each && look(each) === before
  }).map(([kind]) => 'no visible focus on ' + kind)
})()`

/** The addresses that a page leads to. */
export const links = `[...document.querySelectorAll('a[href]')].map(({ href }) => href)`

/** Which kinds of elements stand in which: the same for pages that one template makes of other texts. */
export const makeOf = `(() => {
  const kind = (each) => each === null ? '' : each.tagName + '.' + each.className + '[' + each.getAttributeNames() + ']'
  return [...new Set([...document.querySelectorAll('*')].map((each) => kind(each.parentElement) + '>' + kind(each)))]
    .sort().join()
})()`
