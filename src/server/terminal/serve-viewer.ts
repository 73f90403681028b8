import type { EdgeFailure } from '../../contract/failure/api-failure.ts'
import { failureBody } from '../../contract/failure/failure-body.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Log } from '../../ports/log.ts'
import type { HostId } from '../../ports/session-host.ts'
import type { TerminalHost, TerminalSight, TerminalViewer, ViewerEnd } from '../../ports/terminal-host.ts'
import type { Keyboards, KeyboardUser } from './keyboards.ts'
import type { TerminalHandshake } from './terminal-handshake.ts'
import { parseViewerMessage, type TerminalMessage } from './terminal-message.ts'
import type { WebSocketEnd } from './web-socket.ts'

export type ViewerNeeds = {
  readonly terminals: TerminalHost
  readonly keyboards: Keyboards
  readonly log: Log
  /** The life of a session that a terminal shows, if it has one. */
  findTerminal(sessionId: SessionId): Promise<HostId | undefined>
  /** How long a viewer may take nothing before it is cut off. */
  readonly stallMs: number
}

/** Codes of our own for the reasons a viewer is let go. */
const CLOSE = { ended: 1000, broken: 1011, refused: 4004, taken: 4001 } as const

/** One person's connection to a terminal, from its beginning to its end. */
export async function serveViewer(
  needs: ViewerNeeds,
  handshake: TerminalHandshake,
  socket: WebSocketEnd,
): Promise<void> {
  const { sessionId } = handshake
  const hostId = await needs.findTerminal(sessionId)
  if (hostId === undefined) return refuse(socket, { type: 'not-found', what: 'terminal', id: sessionId })
  const sight = await needs.terminals.look(hostId)
  if (sight.type !== 'running') return await end(needs, socket, hostId, sight)
  await new ViewerConnection(needs, handshake, socket, hostId).open()
}

function tell(socket: WebSocketEnd, message: TerminalMessage): void {
  socket.sendText(JSON.stringify(message))
}

function refuse(socket: WebSocketEnd, failed: EdgeFailure): void {
  tell(socket, { type: 'refused', error: failureBody(failed).error })
  socket.close(CLOSE.refused, 'refused')
}

async function end(
  needs: ViewerNeeds,
  socket: WebSocketEnd,
  hostId: HostId,
  sight: Exclude<TerminalSight, { readonly type: 'running' }>,
): Promise<void> {
  const screen = await needs.terminals.screen(hostId)
  if (screen.ok) tell(socket, { type: 'screen', text: screen.value })
  tell(socket, { type: 'ended', end: sight })
  socket.close(CLOSE.ended, 'the session ended')
}

class ViewerConnection implements KeyboardUser {
  readonly #needs: ViewerNeeds
  readonly #handshake: TerminalHandshake
  readonly #socket: WebSocketEnd
  readonly #hostId: HostId
  #viewer: TerminalViewer | undefined
  #stall: NodeJS.Timeout | undefined
  #isPausedByViewer = false as boolean
  #isClosed = false as boolean

  constructor(needs: ViewerNeeds, handshake: TerminalHandshake, socket: WebSocketEnd, hostId: HostId) {
    this.#needs = needs
    this.#handshake = handshake
    this.#socket = socket
    this.#hostId = hostId
  }

  async open(): Promise<void> {
    const { keyboards, terminals } = this.#needs
    const { sessionId, take, columns, rows } = this.#handshake
    keyboards.join(sessionId, this)
    const mayWrite = !this.#handshake.readOnly && keyboards.take(sessionId, this, take)
    this.#listen(mayWrite)
    const connected = await terminals.connect(this.#hostId, {
      columns,
      rows,
      readOnly: !mayWrite,
      onData: (bytes) => {
        if (!this.#socket.sendBinary(bytes)) this.#fallBehind()
      },
      onEnd: (reason) => {
        this.#conclude(reason).catch((error: unknown) => this.#break(error))
      },
    })
    if (!connected.ok) return await this.#conclude({ type: 'terminal-end' })
    this.#viewer = connected.value
    tell(this.#socket, { type: 'opened', sessionId, readOnly: !mayWrite })
    tell(this.#socket, { type: 'keyboard', taken: keyboards.isTaken(sessionId) })
    if (this.#isClosed) connected.value[Symbol.dispose]()
    else this.#settle()
  }

  onTaken(): void {
    this.#socket.close(CLOSE.taken, 'the keyboard was taken over')
  }

  onKeyboard(taken: boolean): void {
    tell(this.#socket, { type: 'keyboard', taken })
  }

  #listen(mayWrite: boolean): void {
    const write = (bytes: Uint8Array) => {
      if (mayWrite) this.#viewer?.write(bytes)
    }
    this.#socket.listen({
      onBinary: write,
      onText: (text) => this.#heed(text, write),
      onDrain: () => {
        clearTimeout(this.#stall)
        this.#stall = undefined
        this.#settle()
      },
      onClose: () => {
        this.#isClosed = true
        clearTimeout(this.#stall)
        this.#needs.keyboards.leave(this.#handshake.sessionId, this)
        this.#viewer?.[Symbol.dispose]()
      },
    })
  }

  #heed(text: string, write: (bytes: Uint8Array) => void): void {
    const message = parseViewerMessage(text)
    switch (message?.type) {
      // Clients of other versions may say more than we know.
      case undefined:
        return
      case 'input':
        write(Buffer.from(message.text))
        return
      case 'resize':
        this.#viewer?.resize(message)
        return
      case 'pause':
      case 'resume':
        this.#isPausedByViewer = message.type === 'pause'
        this.#settle()
        return
      case 'screen':
        this.#showScreen().catch((error: unknown) => this.#break(error))
        return
      default:
        assertNever(message)
    }
  }

  async #showScreen(): Promise<void> {
    const screen = await this.#needs.terminals.screen(this.#hostId)
    if (screen.ok) tell(this.#socket, { type: 'screen', text: screen.value })
  }

  /** Nothing more is read for it until it has taken what was sent; one that never does is cut off. */
  #fallBehind(): void {
    this.#stall ??= setTimeout(() => {
      this.#needs.log.warn(
        { sessionId: this.#handshake.sessionId },
        'a viewer that takes nothing was cut off',
      )
      this.#socket.cutOff()
    }, this.#needs.stallMs)
    this.#settle()
  }

  #settle(): void {
    if (this.#stall !== undefined || this.#isPausedByViewer) this.#viewer?.pause()
    else this.#viewer?.resume()
  }

  async #conclude(reason: ViewerEnd): Promise<void> {
    if (reason.type === 'too-slow') return this.#cutOff()
    const sight = await this.#needs.terminals.look(this.#hostId)
    if (sight.type === 'running') return this.#socket.close(CLOSE.broken, 'the view broke off')
    await end(this.#needs, this.#socket, this.#hostId, sight)
  }

  #cutOff(): void {
    this.#needs.log.warn({ sessionId: this.#handshake.sessionId }, 'a viewer that takes nothing was cut off')
    this.#socket.cutOff()
  }

  #break(error: unknown): void {
    this.#needs.log.error({ error, sessionId: this.#handshake.sessionId }, 'a view of a terminal failed')
    this.#socket.close(CLOSE.broken, 'something went wrong')
  }
}
