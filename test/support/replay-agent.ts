import readline from 'node:readline'
import { readTranscript } from './transcript.ts'

/**
 * Stands in for an agent program. It prints the recorded lines of the transcript named by its first argument, reads a
 * line wherever one was sent, and exits with 0 when its input ends.
 */
const [file = ''] = process.argv.slice(2)
const { entries } = readTranscript(file)
const input = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]()
for (const entry of entries) {
  if (entry.dir === 'out') process.stdout.write(`${entry.line}\n`)
  if (entry.dir === 'in' && (await input.next()).done) {
    process.stderr.write('the input ended before the conversation did\n')
    process.exitCode = 70
    break
  }
}
if (process.exitCode === undefined) {
  for (;;) if ((await input.next()).done) break
}
