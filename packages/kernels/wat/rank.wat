;; The loops that ranking the cells of a gene consists of: what they do in one second takes plain JavaScript nearly two,
;; because it checks the bounds of every access and reloads them for every array. All addresses are bytes of the memory.
;; A pair is an int32 key and, 4 bytes on, the int32 slot of its cell. What each function is for stands in
;; `rank-kernel.ts` of the package `analysis`.
(module
  (import "env" "memory" (memory 0))
  (func (export "collect")
    (param $cells i32) (param $values i32) (param $entries i32) (param $codes i32) (param $leftOut i32) (param $pairs i32) (param $sums i32) (param $expressing i32) (result i32)
    (local $end i32) (local $slot i32) (local $word i32) (local $at i32) (local $some i32)
    (local.set $end (i32.add (local.get $cells) (i32.shl (local.get $entries) (i32.const 2))))
    (block $done0
      (loop $next0
        (br_if $done0 (i32.eqz (i32.lt_u (local.get $cells) (local.get $end))))
        (local.set $slot
          (i32.load16_u (i32.add (local.get $codes) (i32.shl (i32.load (local.get $cells)) (i32.const 1)))))
        (local.set $word (i32.load (local.get $values)))
        ;; Zeros of either sign do not count; what is left out is written and then written over, without a branch.
        (local.set $some (i32.ne (i32.and (local.get $word) (i32.const 0x7fffffff)) (i32.const 0)))
        (local.set $at (i32.add (local.get $sums) (i32.shl (local.get $slot) (i32.const 3))))
        (f64.store
          (local.get $at)
          (f64.add (f64.load (local.get $at)) (f64.promote_f32 (f32.load (local.get $values)))))
        (local.set $at (i32.add (local.get $expressing) (i32.shl (local.get $slot) (i32.const 2))))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (local.get $some)))
        ;; Integers in the order of the floats: the bits of a negative one fall as it rises.
        (i32.store
          (local.get $pairs)
          (i32.xor (local.get $word) (i32.and (i32.shr_s (local.get $word) (i32.const 31)) (i32.const 0x7fffffff))))
        (i32.store offset=4 (local.get $pairs) (local.get $slot))
        (local.set $pairs
          (i32.add
            (local.get $pairs)
            (i32.shl (i32.and (local.get $some) (i32.ne (local.get $slot) (local.get $leftOut))) (i32.const 3))))
        (local.set $cells (i32.add (local.get $cells) (i32.const 4)))
        (local.set $values (i32.add (local.get $values) (i32.const 4)))
        (br $next0)))
    (local.get $pairs))
  (func (export "extent") (param $from i32) (param $end i32) (param $greatest i32) (result i32)
    (local $key i32) (local $least i32) (local $most i32)
    (local.set $least (local.tee $most (i32.load (local.get $from))))
    (block $done1
      (loop $next1
        (br_if $done1 (i32.eqz (i32.lt_u (local.get $from) (local.get $end))))
        (local.set $key (i32.load (local.get $from)))
        (if (i32.lt_s (local.get $key) (local.get $least))
          (then
            (local.set $least (local.get $key))))
        (if (i32.gt_s (local.get $key) (local.get $most))
          (then
            (local.set $most (local.get $key))))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (br $next1)))
    (i32.store (local.get $greatest) (local.get $most))
    (local.get $least))
  (func (export "count")
    (param $from i32) (param $end i32) (param $to i32) (param $least i32) (param $shift i32) (param $mask i32) (param $buckets i32) (param $lastBucket i32) (result f64)
    (local $at i32) (local $pairs i32) (local $squares f64) (local $number f64) (local $lastAt i32)
    (local.set $lastAt (i32.add (local.get $buckets) (i32.shl (local.get $lastBucket) (i32.const 2))))
    (memory.fill
      (local.get $buckets)
      (i32.const 0)
      (i32.sub (i32.add (local.get $lastAt) (i32.const 4)) (local.get $buckets)))
    (block $done2
      (loop $next2
        (br_if $done2 (i32.eqz (i32.lt_u (local.get $from) (local.get $end))))
        (local.set $at
          (i32.add
            (local.get $buckets)
            (i32.shl
              (i32.and
                (i32.shr_u (i32.sub (i32.load (local.get $from)) (local.get $least)) (local.get $shift))
                (local.get $mask))
              (i32.const 2))))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (br $next2)))
    (local.set $at (local.get $buckets))
    (loop $again3
      (local.set $pairs (i32.load (local.get $at)))
      (i32.store (local.get $at) (local.get $to))
      (local.set $to (i32.add (local.get $to) (i32.shl (local.get $pairs) (i32.const 3))))
      (local.set $number (f64.convert_i32_u (local.get $pairs)))
      (local.set $squares (f64.add (local.get $squares) (f64.mul (local.get $number) (local.get $number))))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $again3 (i32.eqz (i32.gt_u (local.get $at) (local.get $lastAt)))))
    (local.get $squares))
  (func (export "deal")
    (param $from i32) (param $end i32) (param $least i32) (param $shift i32) (param $mask i32) (param $buckets i32)
    (local $key i32) (local $bucket i32) (local $place i32)
    (block $done4
      (loop $next4
        (br_if $done4 (i32.eqz (i32.lt_u (local.get $from) (local.get $end))))
        (local.set $bucket
          (i32.add
            (local.get $buckets)
            (i32.shl
              (i32.and
                (i32.shr_u
                  (i32.sub (local.tee $key (i32.load (local.get $from))) (local.get $least))
                  (local.get $shift))
                (local.get $mask))
              (i32.const 2))))
        (local.set $place (i32.load (local.get $bucket)))
        (i32.store (local.get $bucket) (i32.add (local.get $place) (i32.const 8)))
        (i32.store (local.get $place) (local.get $key))
        (i32.store offset=4 (local.get $place) (i32.load offset=4 (local.get $from)))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (br $next4))))
  (func (export "insertion") (param $from i32) (param $end i32)
    (local $at i32) (local $place i32) (local $key i32) (local $slot i32) (local $previous i32)
    (if (i32.lt_u (local.get $from) (local.get $end))
      (then
        (local.set $previous (i32.load (local.get $from)))
        (local.set $at (i32.add (local.get $from) (i32.const 8)))
        (block $done6
          (loop $next6
            (br_if $done6 (i32.eqz (i32.lt_u (local.get $at) (local.get $end))))
            (local.set $key (i32.load (local.get $at)))
            (if (i32.le_s (local.get $previous) (local.get $key))
              (then
                (local.set $previous (local.get $key)))
              (else
                (local.set $slot (i32.load offset=4 (local.get $at)))
                (local.set $place (local.get $at))
                ;; The key one place down, which is greater, moves up; then the next below it while it is greater too. Where the
                ;; place is the first, the slot of the pair before is read: any number, as both conditions are asked for.
                (loop $again5
                  (i32.store (local.get $place) (i32.load (i32.sub (local.get $place) (i32.const 8))))
                  (i32.store offset=4
                    (local.get $place)
                    (i32.load offset=4 (i32.sub (local.get $place) (i32.const 8))))
                  (local.set $place (i32.sub (local.get $place) (i32.const 8)))
                  (br_if $again5
                    (i32.and
                      (i32.gt_u (local.get $place) (local.get $from))
                      (i32.gt_s (i32.load (i32.sub (local.get $place) (i32.const 8))) (local.get $key)))))
                (i32.store (local.get $place) (local.get $key))
                (i32.store offset=4 (local.get $place) (local.get $slot))))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br $next6))))))
  (func (export "rank")
    (param $from i32) (param $end i32) (param $zeros f64) (param $rankSums i32) (param $zeroRank i32) (result f64)
    (local $key i32) (local $next i32) (local $at i32) (local $passed i32) (local $ranked f64) (local $ties f64) (local $shared f64) (local $tieTerm f64)
    (block $done9
      (loop $next9
        (br_if $done9 (i32.eqz (i32.lt_u (local.get $from) (local.get $end))))
        (local.set $key (i32.load (local.get $from)))
        (if (i32.and (i32.ge_s (local.get $key) (i32.const 0)) (i32.eqz (local.get $passed)))
          (then
            (f64.store
              (local.get $zeroRank)
              (f64.add (local.get $ranked) (f64.mul (f64.add (local.get $zeros) (f64.const 1)) (f64.const 0.5))))
            (local.set $ranked (f64.add (local.get $ranked) (local.get $zeros)))
            (local.set $passed (i32.const 1))))
        (local.set $next (i32.add (local.get $from) (i32.const 8)))
        ;; Past the last pair lies room for one more, so that both conditions can be asked for without a branch.
        (block $done7
          (loop $next7
            (br_if $done7
              (i32.eqz
                (i32.and
                  (i32.lt_u (local.get $next) (local.get $end))
                  (i32.eq (i32.load (local.get $next)) (local.get $key)))))
            (local.set $next (i32.add (local.get $next) (i32.const 8)))
            (br $next7)))
        (if (i32.eq (local.get $next) (i32.add (local.get $from) (i32.const 8)))
          (then
            (local.set $ranked (f64.add (local.get $ranked) (f64.const 1)))
            (local.set $at
              (i32.add (local.get $rankSums) (i32.shl (i32.load offset=4 (local.get $from)) (i32.const 3))))
            (f64.store (local.get $at) (f64.add (f64.load (local.get $at)) (local.get $ranked)))
            (local.set $from (local.get $next)))
          (else
            (local.set $ties
              (f64.convert_i32_u (i32.shr_u (i32.sub (local.get $next) (local.get $from)) (i32.const 3))))
            (local.set $shared
              (f64.add (local.get $ranked) (f64.mul (f64.add (local.get $ties) (f64.const 1)) (f64.const 0.5))))
            (local.set $ranked (f64.add (local.get $ranked) (local.get $ties)))
            (local.set $tieTerm
              (f64.add
                (local.get $tieTerm)
                (f64.sub (f64.mul (f64.mul (local.get $ties) (local.get $ties)) (local.get $ties)) (local.get $ties))))
            (loop $again8
              (local.set $at
                (i32.add (local.get $rankSums) (i32.shl (i32.load offset=4 (local.get $from)) (i32.const 3))))
              (f64.store (local.get $at) (f64.add (f64.load (local.get $at)) (local.get $shared)))
              (local.set $from (i32.add (local.get $from) (i32.const 8)))
              (br_if $again8 (i32.lt_u (local.get $from) (local.get $next))))))
        (br $next9)))
    (if (i32.eqz (local.get $passed))
      (then
        (f64.store
          (local.get $zeroRank)
          (f64.add (local.get $ranked) (f64.mul (f64.add (local.get $zeros) (f64.const 1)) (f64.const 0.5))))
        (local.set $ranked (f64.add (local.get $ranked) (local.get $zeros)))
        (local.set $passed (i32.const 1))))
    (local.get $tieTerm))
  ;; Ranks against the cells of one slot, the reference, alone: of every other cell how many of these are below it, equal
  ;; ones half. A run of equal values counts its cells by slot and adds what the group's cells make the ties of the reference
  ;; more by: (r + c)³ - (r + c) - (r³ - r) = c (3 r (r + c) + c² - 1). What the slot of the reference gets means nothing.
  (func (export "rankAgainst")
    (param $from i32) (param $end i32) (param $reference i32) (param $zeros f64) (param $rankSums i32) (param $ties i32) (param $counts i32) (param $negatives i32) (result f64)
    (local $key i32) (local $next i32) (local $pair i32) (local $at i32) (local $slot i32) (local $same i32) (local $passed i32) (local $number f64) (local $own f64) (local $shared f64) (local $below f64) (local $tieTerm f64)
    (block $done19
      (loop $next19
        (br_if $done19 (i32.eqz (i32.lt_u (local.get $from) (local.get $end))))
        (local.set $key (i32.load (local.get $from)))
        (if (i32.and (i32.ge_s (local.get $key) (i32.const 0)) (i32.eqz (local.get $passed)))
          (then
            (f64.store (local.get $negatives) (local.get $below))
            (local.set $below (f64.add (local.get $below) (local.get $zeros)))
            (local.set $passed (i32.const 1))))
        (local.set $next (i32.add (local.get $from) (i32.const 8)))
        ;; As in `rank`, past the last pair lies room for one more.
        (block $done20
          (loop $next20
            (br_if $done20
              (i32.eqz
                (i32.and
                  (i32.lt_u (local.get $next) (local.get $end))
                  (i32.eq (i32.load (local.get $next)) (local.get $key)))))
            (local.set $next (i32.add (local.get $next) (i32.const 8)))
            (br $next20)))
        (if (i32.eq (local.get $next) (i32.add (local.get $from) (i32.const 8)))
          (then
            (local.set $slot (i32.load offset=4 (local.get $from)))
            (local.set $at (i32.add (local.get $rankSums) (i32.shl (local.get $slot) (i32.const 3))))
            (f64.store (local.get $at) (f64.add (f64.load (local.get $at)) (local.get $below)))
            (local.set $below
              (f64.add (local.get $below) (f64.convert_i32_u (i32.eq (local.get $slot) (local.get $reference)))))
            (local.set $from (local.get $next)))
          (else
            (local.set $same (i32.const 0))
            (local.set $pair (local.get $from))
            (loop $again21
              (local.set $same
                (i32.add
                  (local.get $same)
                  (i32.eq (i32.load offset=4 (local.get $pair)) (local.get $reference))))
              (local.set $pair (i32.add (local.get $pair) (i32.const 8)))
              (br_if $again21 (i32.lt_u (local.get $pair) (local.get $next))))
            (local.set $number (f64.convert_i32_u (local.get $same)))
            (local.set $shared (f64.add (local.get $below) (f64.mul (local.get $number) (f64.const 0.5))))
            (local.set $below (f64.add (local.get $below) (local.get $number)))
            (local.set $tieTerm
              (f64.add
                (local.get $tieTerm)
                (f64.sub
                  (f64.mul (f64.mul (local.get $number) (local.get $number)) (local.get $number))
                  (local.get $number))))
            (local.set $pair (local.get $from))
            (loop $again22
              (local.set $slot (i32.load offset=4 (local.get $pair)))
              (local.set $at (i32.add (local.get $rankSums) (i32.shl (local.get $slot) (i32.const 3))))
              (f64.store (local.get $at) (f64.add (f64.load (local.get $at)) (local.get $shared)))
              (local.set $at (i32.add (local.get $counts) (i32.shl (local.get $slot) (i32.const 2))))
              (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
              (local.set $pair (i32.add (local.get $pair) (i32.const 8)))
              (br_if $again22 (i32.lt_u (local.get $pair) (local.get $next))))
            ;; A slot's first pair adds the ties of all its pairs and clears the count, so that the others add 0.
            (loop $again23
              (local.set $slot (i32.load offset=4 (local.get $from)))
              (local.set $at (i32.add (local.get $counts) (i32.shl (local.get $slot) (i32.const 2))))
              (local.set $own (f64.convert_i32_u (i32.load (local.get $at))))
              (i32.store (local.get $at) (i32.const 0))
              (local.set $at (i32.add (local.get $ties) (i32.shl (local.get $slot) (i32.const 3))))
              (f64.store
                (local.get $at)
                (f64.add
                  (f64.load (local.get $at))
                  (f64.mul
                    (local.get $own)
                    (f64.sub
                      (f64.add
                        (f64.mul
                          (f64.mul (local.get $number) (f64.const 3))
                          (f64.add (local.get $number) (local.get $own)))
                        (f64.mul (local.get $own) (local.get $own)))
                      (f64.const 1)))))
              (local.set $from (i32.add (local.get $from) (i32.const 8)))
              (br_if $again23 (i32.lt_u (local.get $from) (local.get $next))))))
        (br $next19)))
    (if (i32.eqz (local.get $passed))
      (then
        (f64.store (local.get $negatives) (local.get $below))))
    (local.get $tieTerm))
  ;; From here on a cell is one word, its value above the least one and, in the lowest bits, its slot.
  (func (export "span") (param $values i32) (param $end i32) (param $found i32)
    (local $words v128) (local $least v128) (local $most v128)
    (local.set $least (v128.const i32x4 -1 -1 -1 -1))
    (block $done10
      (loop $next10
        (br_if $done10 (i32.eqz (i32.lt_u (local.get $values) (local.get $end))))
        (local.set $words (v128.load align=8 (local.get $values)))
        (local.set $most (i32x4.max_u (local.get $most) (local.get $words)))
        ;; One less, so that 0 is not the least but the most.
        (local.set $least
          (i32x4.min_u (local.get $least) (i32x4.sub (local.get $words) (v128.const i32x4 1 1 1 1))))
        (local.set $values (i32.add (local.get $values) (i32.const 16)))
        (br $next10)))
    (v128.store align=8 (local.get $found) (local.get $least))
    (v128.store align=8 offset=16 (local.get $found) (local.get $most)))
  (func (export "pack")
    (param $cells i32) (param $values i32) (param $entries i32) (param $codes i32) (param $leftOut i32) (param $least i32) (param $slotBits i32) (param $packed i32) (result i32)
    (local $end i32) (local $slot i32) (local $word i32)
    (local.set $end (i32.add (local.get $cells) (i32.shl (local.get $entries) (i32.const 2))))
    (block $done11
      (loop $next11
        (br_if $done11 (i32.eqz (i32.lt_u (local.get $cells) (local.get $end))))
        (local.set $slot
          (i32.load16_u (i32.add (local.get $codes) (i32.shl (i32.load (local.get $cells)) (i32.const 1)))))
        (local.set $word (i32.load (local.get $values)))
        ;; What is left out is written and then written over, without a branch.
        (i32.store
          (local.get $packed)
          (i32.or
            (i32.shl (i32.sub (local.get $word) (local.get $least)) (local.get $slotBits))
            (local.get $slot)))
        (local.set $packed
          (i32.add
            (local.get $packed)
            (i32.shl
              (i32.and
                (i32.ne (local.get $word) (i32.const 0))
                (i32.ne (local.get $slot) (local.get $leftOut)))
              (i32.const 2))))
        (local.set $cells (i32.add (local.get $cells) (i32.const 4)))
        (local.set $values (i32.add (local.get $values) (i32.const 4)))
        (br $next11)))
    (local.get $packed))
  (func (export "sumPacked")
    (param $from i32) (param $end i32) (param $least i32) (param $slotBits i32) (param $sums i32) (param $expressing i32)
    (local $word i32) (local $slot i32) (local $mask i32) (local $at i32)
    (local.set $mask (i32.sub (i32.shl (i32.const 1) (local.get $slotBits)) (i32.const 1)))
    (block $done12
      (loop $next12
        (br_if $done12 (i32.eqz (i32.lt_u (local.get $from) (local.get $end))))
        (local.set $word (i32.load (local.get $from)))
        (local.set $slot (i32.and (local.get $word) (local.get $mask)))
        (local.set $at (i32.add (local.get $sums) (i32.shl (local.get $slot) (i32.const 3))))
        (f64.store
          (local.get $at)
          (f64.add
            (f64.load (local.get $at))
            (f64.promote_f32
              (f32.reinterpret_i32
                (i32.add (i32.shr_u (local.get $word) (local.get $slotBits)) (local.get $least))))))
        (local.set $at (i32.add (local.get $expressing) (i32.shl (local.get $slot) (i32.const 2))))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
        (local.set $from (i32.add (local.get $from) (i32.const 4)))
        (br $next12))))
  ;; Two digits at once: those of the second are counted behind the first's.
  (func (export "countPacked")
    (param $from i32) (param $end i32) (param $shift i32) (param $digit i32) (param $buckets i32)
    (local $at i32) (local $word i32) (local $mask i32) (local $others i32)
    (local.set $mask (i32.sub (i32.shl (i32.const 1) (local.get $digit)) (i32.const 1)))
    (local.set $others (i32.add (local.get $buckets) (i32.shl (i32.const 4) (local.get $digit))))
    (memory.fill (local.get $buckets) (i32.const 0) (i32.shl (i32.const 8) (local.get $digit)))
    (block $done13
      (loop $next13
        (br_if $done13 (i32.eqz (i32.lt_u (local.get $from) (local.get $end))))
        (local.set $word (i32.shr_u (i32.load (local.get $from)) (local.get $shift)))
        (local.set $at
          (i32.add (local.get $buckets) (i32.shl (i32.and (local.get $word) (local.get $mask)) (i32.const 2))))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 4)))
        (local.set $at
          (i32.add
            (local.get $others)
            (i32.shl
              (i32.and (i32.shr_u (local.get $word) (local.get $digit)) (local.get $mask))
              (i32.const 2))))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 4)))
        (local.set $from (i32.add (local.get $from) (i32.const 4)))
        (br $next13))))
  (func (export "dealPacked")
    (param $from i32) (param $end i32) (param $to i32) (param $shift i32) (param $digit i32) (param $buckets i32)
    (local $word i32) (local $bucket i32) (local $place i32) (local $mask i32) (local $words i32) (local $last i32)
    (local.set $mask (i32.sub (i32.shl (i32.const 1) (local.get $digit)) (i32.const 1)))
    ;; The counts become the address of each bucket's first word.
    (local.set $bucket (local.get $buckets))
    (local.set $last (i32.add (local.get $buckets) (i32.shl (local.get $mask) (i32.const 2))))
    (loop $again13
      (local.set $words (i32.load (local.get $bucket)))
      (i32.store (local.get $bucket) (local.get $to))
      (local.set $to (i32.add (local.get $to) (local.get $words)))
      (local.set $bucket (i32.add (local.get $bucket) (i32.const 4)))
      (br_if $again13 (i32.eqz (i32.gt_u (local.get $bucket) (local.get $last)))))
    (block $done14
      (loop $next14
        (br_if $done14 (i32.eqz (i32.lt_u (local.get $from) (local.get $end))))
        (local.set $bucket
          (i32.add
            (local.get $buckets)
            (i32.shl
              (i32.and
                (i32.shr_u (local.tee $word (i32.load (local.get $from))) (local.get $shift))
                (local.get $mask))
              (i32.const 2))))
        (local.set $place (i32.load (local.get $bucket)))
        (i32.store (local.get $bucket) (i32.add (local.get $place) (i32.const 4)))
        (i32.store (local.get $place) (local.get $word))
        (local.set $from (i32.add (local.get $from) (i32.const 4)))
        (br $next14))))
  ;; Of slots 0 and 1 alone: a run of equal values counts when it ends, so that one pass without tables does, and the other
  ;; rank sum is what is left of all ranks.
  (func (export "rankTwo")
    (param $from i32) (param $end i32) (param $zeros i32) (param $least i32) (param $sums i32) (param $expressing i32) (param $rankSums i32) (result f64)
    (local $word i32) (local $value i32) (local $slot i32) (local $same i32) (local $place i32) (local $first i32) (local $own i32) (local $all i32) (local $number f64) (local $ties f64) (local $twice f64) (local $zero f64) (local $one f64)
    (local.set $place (local.get $zeros))
    (local.set $value (i32.const -1))
    (block $done16
      (loop $next16
        (br_if $done16 (i32.eqz (i32.lt_u (local.get $from) (local.get $end))))
        (local.set $word (i32.load (local.get $from)))
        (local.set $slot (i32.and (local.get $word) (i32.const 1)))
        (local.set $word (i32.shr_u (local.get $word) (i32.const 1)))
        (local.set $same (i32.sub (i32.const 0) (i32.eq (local.get $word) (local.get $value))))
        (local.set $value (local.get $word))
        ;; Of the run before, where it ends here: twice its mean rank is its first and its last place.
        (local.set $twice
          (f64.add
            (local.get $twice)
            (f64.mul
              (f64.convert_i32_u
                (i32.and (local.get $own) (i32.xor (local.get $same) (i32.const -1))))
              (f64.convert_i32_u (i32.add (local.get $first) (local.get $place))))))
        (local.set $place (i32.add (local.get $place) (i32.const 1)))
        (local.set $own (i32.add (i32.and (local.get $own) (local.get $same)) (local.get $slot)))
        (local.set $all (i32.add (local.get $all) (local.get $slot)))
        (local.set $first
          (i32.or
            (i32.and (local.get $first) (local.get $same))
            (i32.and (local.get $place) (i32.xor (local.get $same) (i32.const -1)))))
        (local.set $number (f64.convert_i32_u (i32.sub (local.get $place) (local.get $first))))
        (local.set $ties
          (f64.add (local.get $ties) (f64.mul (local.get $number) (f64.add (local.get $number) (f64.const 1)))))
        (local.set $word (i32.add (local.get $word) (local.get $least)))
        (local.set $zero
          (f64.add
            (local.get $zero)
            (f64.promote_f32
              (f32.reinterpret_i32 (i32.and (local.get $word) (i32.sub (local.get $slot) (i32.const 1)))))))
        (local.set $one
          (f64.add
            (local.get $one)
            (f64.promote_f32
              (f32.reinterpret_i32 (i32.and (local.get $word) (i32.sub (i32.const 0) (local.get $slot)))))))
        (local.set $from (i32.add (local.get $from) (i32.const 4)))
        (br $next16)))
    (local.set $twice
      (f64.add
        (local.get $twice)
        (f64.mul
          (f64.convert_i32_u (local.get $own))
          (f64.convert_i32_u (i32.add (local.get $first) (local.get $place))))))
    (local.set $number (f64.convert_i32_u (i32.sub (local.get $place) (local.get $zeros))))
    (f64.store (local.get $sums) (local.get $zero))
    (f64.store offset=8 (local.get $sums) (local.get $one))
    (i32.store
      (local.get $expressing)
      (i32.sub (i32.sub (local.get $place) (local.get $zeros)) (local.get $all)))
    (i32.store offset=4 (local.get $expressing) (local.get $all))
    (f64.store offset=8 (local.get $rankSums) (f64.mul (local.get $twice) (f64.const 0.5)))
    (f64.store
      (local.get $rankSums)
      (f64.mul
        (f64.const 0.5)
        (f64.sub
          (f64.mul
            (local.get $number)
            (f64.convert_i32_u
              (i32.add (i32.add (local.get $zeros) (local.get $place)) (i32.const 1))))
          (local.get $twice))))
    (f64.mul (local.get $ties) (f64.const 3)))
  ;; The mean of the first and the last place of its run of equal values, to and fro, without a branch that ties decide on.
  ;; The sum of t³ - t is three times that of k (k + 1) over the places k, from 0, of all in their runs.
  (func (export "rankPacked")
    (param $from i32) (param $end i32) (param $zeros i32) (param $slotBits i32) (param $rankSums i32) (result f64)
    (local $word i32) (local $value i32) (local $at i32) (local $mask i32) (local $place i32) (local $run i32) (local $number f64) (local $ties f64) (local $start i32)
    (local.set $mask (i32.sub (i32.shl (i32.const 1) (local.get $slotBits)) (i32.const 1)))
    (local.set $start (local.get $from))
    (local.set $place (local.get $zeros))
    ;; A value that no word has where slots take bits; where they take none, the first is its own run all the same.
    (local.set $value (i32.const -1))
    (local.set $run (i32.const -1))
    (block $done17
      (loop $next17
        (br_if $done17 (i32.eqz (i32.lt_u (local.get $from) (local.get $end))))
        (local.set $word (i32.load (local.get $from)))
        (local.set $place (i32.add (local.get $place) (i32.const 1)))
        (local.set $run
          (i32.and
            (i32.add (local.get $run) (i32.const 1))
            (i32.sub
              (i32.const 0)
              (i32.eq (i32.shr_u (local.get $word) (local.get $slotBits)) (local.get $value)))))
        (local.set $value (i32.shr_u (local.get $word) (local.get $slotBits)))
        (local.set $number (f64.convert_i32_u (local.get $run)))
        (local.set $ties
          (f64.add (local.get $ties) (f64.mul (local.get $number) (f64.add (local.get $number) (f64.const 1)))))
        (local.set $at
          (i32.add
            (local.get $rankSums)
            (i32.shl (i32.and (local.get $word) (local.get $mask)) (i32.const 3))))
        (f64.store
          (local.get $at)
          (f64.add
            (f64.load (local.get $at))
            (f64.mul
              (f64.convert_i32_u (i32.sub (local.get $place) (local.get $run)))
              (f64.const 0.5))))
        (local.set $from (i32.add (local.get $from) (i32.const 4)))
        (br $next17)))
    (local.set $value (i32.const -1))
    (local.set $run (i32.const -1))
    (block $done18
      (loop $next18
        (br_if $done18 (i32.eqz (i32.gt_u (local.get $from) (local.get $start))))
        (local.set $from (i32.sub (local.get $from) (i32.const 4)))
        (local.set $word (i32.load (local.get $from)))
        (local.set $run
          (i32.and
            (i32.add (local.get $run) (i32.const 1))
            (i32.sub
              (i32.const 0)
              (i32.eq (i32.shr_u (local.get $word) (local.get $slotBits)) (local.get $value)))))
        (local.set $value (i32.shr_u (local.get $word) (local.get $slotBits)))
        (local.set $at
          (i32.add
            (local.get $rankSums)
            (i32.shl (i32.and (local.get $word) (local.get $mask)) (i32.const 3))))
        (f64.store
          (local.get $at)
          (f64.add
            (f64.load (local.get $at))
            (f64.mul
              (f64.convert_i32_u (i32.add (local.get $place) (local.get $run)))
              (f64.const 0.5))))
        (local.set $place (i32.sub (local.get $place) (i32.const 1)))
        (br $next18)))
    (f64.mul (local.get $ties) (f64.const 3))))
