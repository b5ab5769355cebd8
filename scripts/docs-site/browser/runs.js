// Updates the pages of import runs while a run is in progress. The pages are readable without this script.
const milliseconds = 3000

const status = document.querySelector('main [role=status]')

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const units = Object.entries({ day: 86_400, hour: 3600, minute: 60, second: 1 })

/** Shows times of the list relative to now. The exact ones are their titles. */
const relate = (page) => {
  for (const time of page.querySelectorAll('.list time')) {
    const seconds = Math.max(0, (Date.now() - Date.parse(time.dateTime)) / 1000)
    const [unit, length] = units.find(([, each]) => seconds >= each) ?? ['second', 1]
    time.textContent = relative.format(-Math.floor(seconds / length), unit)
  }
  return page
}

/** Replaces the parts that have changed, except a part with the focus, which would be lost. */
const show = (page) => {
  for (const part of page.querySelectorAll('main > [id]')) {
    const shown = document.getElementById(part.id)
    if (shown === null || shown.isEqualNode(part) || shown.contains(document.activeElement)) continue
    // Screen readers announce a status when its text changes.
    if (shown === status) status.replaceChildren(...part.childNodes)
    else shown.replaceWith(document.adoptNode(part))
  }
}

const isLive = (page) => page.querySelector('main[data-live]') !== null

/** The current page; undefined if the service is overloaded or fails. Rejects if the service cannot be reached. */
const pageNow = async () => {
  const answer = await fetch(location.href, { cache: 'no-store' })
  if (answer.status === 429 || answer.status >= 500) return undefined
  // The login has ended, or the run was removed: load the page for that case.
  if (!answer.ok) location.reload()
  return relate(new DOMParser().parseFromString(await answer.text(), 'text/html'))
}

const pause = document.createElement('button')
pause.type = 'button'
let isPaused = false
const showPause = () => (pause.textContent = isPaused ? 'Update again' : 'Stop updating')
pause.addEventListener('click', () => {
  isPaused = !isPaused
  showPause()
})

const later = (wait) => setTimeout(() => void look(), wait)

const look = async () => {
  const begun = performance.now()
  if (!isPaused && !document.hidden) {
    const page = await pageNow().catch(() => undefined)
    if (page === undefined) status.textContent = 'The service does not answer now. This page tries again.'
    else {
      show(page)
      if (!isLive(page)) return pause.remove()
    }
  }
  // A page that is slow to build is requested less often.
  later(Math.max(milliseconds, 10 * (performance.now() - begun)))
}

relate(document)
if (isLive(document)) {
  showPause()
  status.after(pause)
  later(milliseconds)
}
