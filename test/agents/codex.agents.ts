import { describeConversation } from './describe-conversation.ts'
import { describeWork } from './describe-work.ts'
import { codex } from './programs/codex.ts'

describeConversation('codex', codex)
describeWork('codex', codex)
