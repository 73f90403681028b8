import type { WirePlaybook } from '../../../client/index.ts'
import { counted } from '../text/counted.ts'
import { safeLine } from '../text/safe-text.ts'
import { stageOrder } from './stage-order.ts'
import { stageExits, stageWords, type WireStage, type WireTarget } from './stage-words.ts'

const SHAPES: Readonly<Record<WireStage['type'], readonly [open: string, close: string]>> = {
  role: ['[', ']'],
  checks: ['[[', ']]'],
  gate: ['{{', '}}'],
  choose: ['{', '}'],
  playbook: ['[/', '/]'],
}

/** The stages as a Mermaid flowchart, for documents and pull requests. */
export function mermaidOf(playbook: WirePlaybook): readonly string[] {
  const order = stageOrder(playbook)
  // Names such as "end" mean something to Mermaid, so nodes get numbers.
  const nodeOf = (target: WireTarget) =>
    target.type === 'end' ? `end_${target.end}` : `s${order.indexOf(target.stage) + 1}`
  const stages = order.flatMap((name) => {
    const stage = playbook.stages[name]
    return stage === undefined ? [] : [{ name, stage, node: nodeOf({ type: 'stage', stage: name }) }]
  })
  const edges = stages.flatMap(({ stage, node }) =>
    stageExits(stage).flatMap(({ outcome, to, limit }) => {
      if (limit === undefined) return [{ node, words: outcome, to }]
      return [
        { node, words: `${outcome}, up to ${counted(limit.max, 'time')}`, to },
        { node, words: `${outcome}, after that`, to: limit.beyond },
      ]
    }),
  )
  const ends = new Set(edges.flatMap(({ to }) => (to.type === 'end' ? [to.end] : [])))
  return [
    'flowchart TD',
    '  start([start]) --> s1',
    ...stages.map(({ name, stage, node }) => {
      const [open, close] = SHAPES[stage.type]
      return `  ${node}${open}${quoted(`${name}<br/>${escaped(stageWords(stage))}`)}${close}`
    }),
    ...[...ends].map((end) => `  end_${end}([end.${end}])`),
    ...edges.map(({ node, words, to }) => `  ${node} -->|${quoted(escaped(words))}| ${nodeOf(to)}`),
  ]
}

function quoted(text: string): string {
  return `"${text}"`
}

/** A text can hold anything; in a label, these characters would end it or become markup. */
function escaped(text: string): string {
  return safeLine(text, 1000).replaceAll(/[#&<>"`|]/g, (character) => `#${character.charCodeAt(0)};`)
}
