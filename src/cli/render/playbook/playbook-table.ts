import type { WirePlaybookView } from '../../../client/index.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import { safeLine } from '../text/safe-text.ts'
import { table } from '../text/table.ts'

const PLACES = {
  repository: 'this repository',
  person: 'your own',
  shipped: 'shipped with Muster',
} as const

export function placeWords({ place, directory }: Pick<WirePlaybookView, 'place' | 'directory'>): string {
  return place === undefined ? safeLine(directory, 1000) : PLACES[place]
}

export function playbookTable(views: readonly WirePlaybookView[], display: Display): readonly string[] {
  return table(
    ['PLAYBOOK', 'FROM', 'VISITS', 'DESCRIPTION'],
    views.map((view) => [
      safeLine(view.name),
      view.place ?? '',
      view.type === 'valid' ? `<= ${view.visitBound}` : '-',
      view.type === 'valid'
        ? safeLine(view.playbook.description, 300)
        : display.paint('bad', faultCount(view)),
    ]),
    { columns: display.columns, optional: ['VISITS', 'FROM'] },
  )
}

function faultCount({ faults }: Extract<WirePlaybookView, { type: 'invalid' }>): string {
  return `invalid, ${counted(faults.length, 'problem')}`
}
