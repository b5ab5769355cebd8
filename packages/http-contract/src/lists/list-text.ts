/**
 * The text of a whole list, a piece for each page, while the pages come: `[\n{…},\n{…}\n]`. Only after the last
 * page is the array closed, so a list that was cut short is never valid JSON.
 */
export async function* listText(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const page of pages) {
    if (page.length === 0) continue
    yield separator + page.map((item) => JSON.stringify(item)).join(',\n')
    separator = ',\n'
  }
  yield separator === ',\n' ? '\n]' : '[]'
}
