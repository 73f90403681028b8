/** `npm run bench -- <suite>`. Figures are compared with floors measured in the same run, because machines differ. */
import { benchLanding } from './landing/bench-landing.ts'
import { benchMessages } from './messages/bench-messages.ts'
import { benchSessions } from './sessions/bench-sessions.ts'
import { benchSpine } from './spine/bench-spine.ts'

const suites: Readonly<Record<string, () => Promise<void>>> = {
  landing: benchLanding,
  messages: benchMessages,
  sessions: benchSessions,
  spine: benchSpine,
}
// What a start takes for people, who run the source or the package.
process.env['MUSTER_TEST_SOURCE'] = 'yes'
const name = process.argv[2] ?? 'spine'
const suite = suites[name]
if (suite === undefined) {
  process.stderr.write(`bench: no suite ${name}; there is: ${Object.keys(suites).join(', ')}\n`)
  process.exit(2)
}
await suite()
