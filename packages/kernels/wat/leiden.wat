;; The loops of the Leiden method over the nodes and edges of a network, which JavaScript compiles anew while they run: half
;; of their time. All parameters are addresses but counts and the resolution. Of a network these are: where the edges of each
;; node begin, and behind the last one end, as distances from the first; the other node of each edge (i32), its weight (f64),
;; and the sum of the weights at each node (f64). `ties` is zero before and after.
(module
  (import "env" "memory" (memory 0))
  ;; The numbers up to `count` in an order that is drawn from the 64 bits at `random`.
  (func (export "shuffle") (param $count i32) (param $order i32) (param $random i32)
    (local $at i32) (local $kept i32) (local $other i32) (local $draws i64)
    (local.set $draws (i64.load (local.get $random)))
    (block $none
      (br_if $none (i32.eqz (local.get $count)))
      (loop $next
        (i32.store (i32.add (local.get $order) (i32.shl (local.get $at) (i32.const 2))) (local.get $at))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $next (i32.lt_u (local.get $at) (local.get $count))))
      (loop $next
        (local.set $draws
          (i64.add
            (i64.mul (local.get $draws) (i64.const 6364136223846793005))
            (i64.const 1442695040888963407)))
        (local.set $other
          (i32.add
            (local.get $order)
            (i32.shl
              (i32.wrap_i64
                (i64.shr_u
                  (i64.mul (i64.shr_u (local.get $draws) (i64.const 32)) (i64.extend_i32_u (local.get $at)))
                  (i64.const 32)))
              (i32.const 2))))
        (local.set $at (i32.sub (local.get $at) (i32.const 1)))
        (local.set $kept (i32.load (i32.add (local.get $order) (i32.shl (local.get $at) (i32.const 2)))))
        (i32.store
          (i32.add (local.get $order) (i32.shl (local.get $at) (i32.const 2)))
          (i32.load (local.get $other)))
        (i32.store (local.get $other) (local.get $kept))
        (br_if $next (i32.gt_u (local.get $at) (i32.const 1)))))
    (i64.store (local.get $random) (local.get $draws)))

  ;; Moves each node, in the order of the queue, to the cluster that gains most, and visits the neighbours of those that moved
  ;; again, until none gains. Of n nodes, n numbers are behind each address: f64 behind `totals` and `ties`, else i32.
  (func (export "moveNodes")
    (param $count i32) (param $starts i32) (param $others i32) (param $weights i32) (param $sizes i32)
    (param $clusters i32) (param $totals i32) (param $ties i32) (param $members i32) (param $empty i32)
    (param $queue i32) (param $waiting i32) (param $near i32) (param $resolution f64)
    (local $node i32) (local $at i32) (local $end i32) (local $other i32) (local $cluster i32) (local $own i32)
    (local $best i32) (local $place i32) (local $stop i32) (local $emptyEnd i32) (local $head i32) (local $left i32)
    (local $size f64) (local $most f64) (local $gain f64) (local $tie f64)
    (memory.fill (local.get $totals) (i32.const 0) (i32.shl (local.get $count) (i32.const 3)))
    (memory.fill (local.get $members) (i32.const 0) (i32.shl (local.get $count) (i32.const 2)))
    (memory.fill (local.get $waiting) (i32.const 1) (i32.shl (local.get $count) (i32.const 2)))
    (loop $next
      (local.set $cluster
        (i32.load (i32.add (local.get $clusters) (i32.shl (local.get $node) (i32.const 2)))))
      (local.set $place (i32.add (local.get $totals) (i32.shl (local.get $cluster) (i32.const 3))))
      (f64.store
        (local.get $place)
        (f64.add
          (f64.load (local.get $place))
          (f64.load (i32.add (local.get $sizes) (i32.shl (local.get $node) (i32.const 3))))))
      (local.set $place (i32.add (local.get $members) (i32.shl (local.get $cluster) (i32.const 2))))
      (i32.store (local.get $place) (i32.add (i32.load (local.get $place)) (i32.const 1)))
      (local.set $node (i32.add (local.get $node) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $node) (local.get $count))))
    ;; The empty cluster with the least number is the last one.
    (local.set $emptyEnd (local.get $empty))
    (local.set $at (local.get $count))
    (loop $next
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (if (i32.eqz (i32.load (i32.add (local.get $members) (i32.shl (local.get $at) (i32.const 2)))))
        (then
          (i32.store (local.get $emptyEnd) (local.get $at))
          (local.set $emptyEnd (i32.add (local.get $emptyEnd) (i32.const 4)))))
      (br_if $next (local.get $at)))
    (local.set $left (local.get $count))
    (loop $nextNode
      (local.set $node (i32.load (i32.add (local.get $queue) (i32.shl (local.get $head) (i32.const 2)))))
      (local.set $head (i32.add (local.get $head) (i32.const 1)))
      (if (i32.eq (local.get $head) (local.get $count)) (then (local.set $head (i32.const 0))))
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (i32.store (i32.add (local.get $waiting) (i32.shl (local.get $node) (i32.const 2))) (i32.const 0))
      (local.set $own
        (i32.load (i32.add (local.get $clusters) (i32.shl (local.get $node) (i32.const 2)))))
      (local.set $size (f64.load (i32.add (local.get $sizes) (i32.shl (local.get $node) (i32.const 3)))))
      (local.set $place (i32.add (local.get $totals) (i32.shl (local.get $own) (i32.const 3))))
      (f64.store (local.get $place) (f64.sub (f64.load (local.get $place)) (local.get $size)))
      (local.set $place (i32.add (local.get $members) (i32.shl (local.get $own) (i32.const 2))))
      (i32.store (local.get $place) (i32.sub (i32.load (local.get $place)) (i32.const 1)))
      (if (i32.eqz (i32.load (local.get $place)))
        (then
          (i32.store (local.get $emptyEnd) (local.get $own))
          (local.set $emptyEnd (i32.add (local.get $emptyEnd) (i32.const 4)))))
      ;; What ties it to the clusters near it.
      (local.set $stop (local.get $near))
      (local.set $place (i32.add (local.get $starts) (i32.shl (local.get $node) (i32.const 2))))
      (local.set $at (i32.load (local.get $place)))
      (local.set $end (i32.load offset=4 (local.get $place)))
      (block $noEdges
        (loop $nextEdge
          (br_if $noEdges (i32.eq (local.get $at) (local.get $end)))
          (local.set $cluster
            (i32.load
              (i32.add
                (local.get $clusters)
                (i32.shl (i32.load (i32.add (local.get $others) (local.get $at))) (i32.const 2)))))
          (local.set $place (i32.add (local.get $ties) (i32.shl (local.get $cluster) (i32.const 3))))
          (local.set $tie (f64.load (local.get $place)))
          (if (f64.eq (local.get $tie) (f64.const 0))
            (then
              (i32.store (local.get $stop) (local.get $cluster))
              (local.set $stop (i32.add (local.get $stop) (i32.const 4)))))
          (f64.store
            (local.get $place)
            (f64.add
              (local.get $tie)
              (f64.load (i32.add (local.get $weights) (i32.shl (local.get $at) (i32.const 1))))))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br $nextEdge)))
      (local.set $best (local.get $own))
      (local.set $place (i32.shl (local.get $own) (i32.const 3)))
      (local.set $most
        (f64.sub
          (f64.load (i32.add (local.get $ties) (local.get $place)))
          (f64.mul
            (f64.mul (local.get $resolution) (local.get $size))
            (f64.load (i32.add (local.get $totals) (local.get $place))))))
      (local.set $at (local.get $near))
      (block $noClusters
        (loop $nextCluster
          (br_if $noClusters (i32.eq (local.get $at) (local.get $stop)))
          (local.set $cluster (i32.load (local.get $at)))
          (local.set $place (i32.shl (local.get $cluster) (i32.const 3)))
          (local.set $gain
            (f64.sub
              (f64.load (i32.add (local.get $ties) (local.get $place)))
              (f64.mul
                (f64.mul (local.get $resolution) (local.get $size))
                (f64.load (i32.add (local.get $totals) (local.get $place))))))
          (if (f64.gt (local.get $gain) (local.get $most))
            (then (local.set $best (local.get $cluster)) (local.set $most (local.get $gain))))
          (f64.store (i32.add (local.get $ties) (local.get $place)) (f64.const 0))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br $nextCluster)))
      ;; Alone it gains and loses nothing.
      (if (i32.and (f64.lt (local.get $most) (f64.const 0)) (i32.gt_u (local.get $emptyEnd) (local.get $empty)))
        (then (local.set $best (i32.load (i32.sub (local.get $emptyEnd) (i32.const 4))))))
      (local.set $place (i32.add (local.get $members) (i32.shl (local.get $best) (i32.const 2))))
      ;; An empty one that is taken is the last of them.
      (if (i32.eqz (i32.load (local.get $place)))
        (then (local.set $emptyEnd (i32.sub (local.get $emptyEnd) (i32.const 4)))))
      (i32.store (local.get $place) (i32.add (i32.load (local.get $place)) (i32.const 1)))
      (local.set $place (i32.add (local.get $totals) (i32.shl (local.get $best) (i32.const 3))))
      (f64.store (local.get $place) (f64.add (f64.load (local.get $place)) (local.get $size)))
      (if (i32.ne (local.get $best) (local.get $own))
        (then
          (i32.store
            (i32.add (local.get $clusters) (i32.shl (local.get $node) (i32.const 2)))
            (local.get $best))
          (local.set $at
            (i32.load (i32.add (local.get $starts) (i32.shl (local.get $node) (i32.const 2)))))
          (block $noEdges
            (loop $nextEdge
              (br_if $noEdges (i32.eq (local.get $at) (local.get $end)))
              (local.set $other (i32.load (i32.add (local.get $others) (local.get $at))))
              (local.set $at (i32.add (local.get $at) (i32.const 4)))
              (local.set $place (i32.add (local.get $waiting) (i32.shl (local.get $other) (i32.const 2))))
              (br_if $nextEdge (i32.load (local.get $place)))
              (br_if $nextEdge
                (i32.eq
                  (i32.load (i32.add (local.get $clusters) (i32.shl (local.get $other) (i32.const 2))))
                  (local.get $best)))
              (i32.store (local.get $place) (i32.const 1))
              (local.set $place (i32.add (local.get $head) (local.get $left)))
              (if (i32.ge_u (local.get $place) (local.get $count))
                (then (local.set $place (i32.sub (local.get $place) (local.get $count)))))
              (i32.store
                (i32.add (local.get $queue) (i32.shl (local.get $place) (i32.const 2)))
                (local.get $other))
              (local.set $left (i32.add (local.get $left) (i32.const 1)))
              (br $nextEdge)))))
      (br_if $nextNode (local.get $left))))

  ;; Parts of each cluster: nodes that are well tied to their cluster join a part of it that is well tied too, drawn with
  ;; chances of exp(gain / randomness), so that every part hangs together. `order` is that of the visits; n numbers are behind
  ;; each address: i32 behind `parts`, `alone` and, n + 1, `near`, else f64, n + 1 behind `chances`.
  (func (export "refine")
    (param $count i32) (param $starts i32) (param $others i32) (param $weights i32) (param $sizes i32)
    (param $clusters i32) (param $parts i32) (param $totals i32) (param $ties i32) (param $outer i32)
    (param $ofCluster i32) (param $chances i32) (param $alone i32) (param $order i32) (param $near i32)
    (param $random i32) (param $resolution f64) (param $randomness f64)
    (local $node i32) (local $at i32) (local $end i32) (local $other i32) (local $cluster i32) (local $part i32)
    (local $chosen i32) (local $place i32) (local $stop i32) (local $visit i32) (local $chance i32) (local $power i32)
    (local $size f64) (local $rest f64) (local $most f64) (local $gain f64) (local $total f64) (local $sum f64)
    (local $draws i64)
    (local.set $draws (i64.load (local.get $random)))
    (memory.fill (local.get $ofCluster) (i32.const 0) (i32.shl (local.get $count) (i32.const 3)))
    ;; Each node is a part; what ties it to the rest of its cluster.
    (loop $nextNode
      (local.set $place (i32.shl (local.get $node) (i32.const 2)))
      (i32.store (i32.add (local.get $parts) (local.get $place)) (local.get $node))
      (i32.store (i32.add (local.get $alone) (local.get $place)) (i32.const 1))
      (local.set $cluster (i32.load (i32.add (local.get $clusters) (local.get $place))))
      (local.set $at (i32.load (i32.add (local.get $starts) (local.get $place))))
      (local.set $end (i32.load offset=4 (i32.add (local.get $starts) (local.get $place))))
      (local.set $place (i32.shl (local.get $node) (i32.const 3)))
      (local.set $size (f64.load (i32.add (local.get $sizes) (local.get $place))))
      (f64.store (i32.add (local.get $totals) (local.get $place)) (local.get $size))
      (local.set $part (i32.add (local.get $ofCluster) (i32.shl (local.get $cluster) (i32.const 3))))
      (f64.store (local.get $part) (f64.add (f64.load (local.get $part)) (local.get $size)))
      (local.set $sum (f64.const 0))
      (block $noEdges
        (loop $nextEdge
          (br_if $noEdges (i32.eq (local.get $at) (local.get $end)))
          (if
            (i32.eq
              (local.get $cluster)
              (i32.load
                (i32.add
                  (local.get $clusters)
                  (i32.shl (i32.load (i32.add (local.get $others) (local.get $at))) (i32.const 2)))))
            (then
              (local.set $sum
                (f64.add
                  (local.get $sum)
                  (f64.load (i32.add (local.get $weights) (i32.shl (local.get $at) (i32.const 1))))))))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br $nextEdge)))
      (f64.store (i32.add (local.get $outer) (local.get $place)) (local.get $sum))
      (local.set $node (i32.add (local.get $node) (i32.const 1)))
      (br_if $nextNode (i32.lt_u (local.get $node) (local.get $count))))
    (block $done
      (loop $nextVisit
        (br_if $done (i32.eq (local.get $visit) (local.get $count)))
        (local.set $node (i32.load (i32.add (local.get $order) (i32.shl (local.get $visit) (i32.const 2)))))
        (local.set $visit (i32.add (local.get $visit) (i32.const 1)))
        (local.set $place (i32.shl (local.get $node) (i32.const 2)))
        (br_if $nextVisit (i32.eqz (i32.load (i32.add (local.get $alone) (local.get $place)))))
        (local.set $cluster (i32.load (i32.add (local.get $clusters) (local.get $place))))
        (local.set $at (i32.load (i32.add (local.get $starts) (local.get $place))))
        (local.set $end (i32.load offset=4 (i32.add (local.get $starts) (local.get $place))))
        (local.set $place (i32.shl (local.get $node) (i32.const 3)))
        (local.set $size (f64.load (i32.add (local.get $sizes) (local.get $place))))
        (local.set $rest
          (f64.load (i32.add (local.get $ofCluster) (i32.shl (local.get $cluster) (i32.const 3)))))
        (br_if $nextVisit
          (f64.lt
            (f64.load (i32.add (local.get $outer) (local.get $place)))
            (f64.mul
              (f64.mul (local.get $resolution) (local.get $size))
              (f64.sub (local.get $rest) (local.get $size)))))
        ;; To stay alone gains nothing, and is the first of the choices.
        (i32.store (local.get $near) (local.get $node))
        (local.set $stop (i32.add (local.get $near) (i32.const 4)))
        (block $noEdges
          (loop $nextEdge
            (br_if $noEdges (i32.eq (local.get $at) (local.get $end)))
            (local.set $other
              (i32.shl (i32.load (i32.add (local.get $others) (local.get $at))) (i32.const 2)))
            (local.set $gain (f64.load (i32.add (local.get $weights) (i32.shl (local.get $at) (i32.const 1)))))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br_if $nextEdge
              (i32.ne (i32.load (i32.add (local.get $clusters) (local.get $other))) (local.get $cluster)))
            (local.set $part (i32.load (i32.add (local.get $parts) (local.get $other))))
            (local.set $place (i32.add (local.get $ties) (i32.shl (local.get $part) (i32.const 3))))
            (if (f64.eq (f64.load (local.get $place)) (f64.const 0))
              (then
                (i32.store (local.get $stop) (local.get $part))
                (local.set $stop (i32.add (local.get $stop) (i32.const 4)))))
            (f64.store (local.get $place) (f64.add (f64.load (local.get $place)) (local.get $gain)))
            (br $nextEdge)))
        (local.set $most (f64.const 0))
        (local.set $chosen (local.get $node))
        (f64.store (local.get $chances) (f64.const 0))
        (local.set $at (i32.add (local.get $near) (i32.const 4)))
        (local.set $chance (i32.add (local.get $chances) (i32.const 8)))
        (block $noParts
          (loop $nextPart
            (br_if $noParts (i32.eq (local.get $at) (local.get $stop)))
            (local.set $part (i32.load (local.get $at)))
            (local.set $place (i32.shl (local.get $part) (i32.const 3)))
            (local.set $total (f64.load (i32.add (local.get $totals) (local.get $place))))
            (local.set $gain
              (f64.sub
                (f64.load (i32.add (local.get $ties) (local.get $place)))
                (f64.mul (f64.mul (local.get $resolution) (local.get $size)) (local.get $total))))
            ;; A part that is not well tied itself is no choice.
            (if
              (f64.lt
                (f64.load (i32.add (local.get $outer) (local.get $place)))
                (f64.mul
                  (f64.mul (local.get $resolution) (local.get $total))
                  (f64.sub (local.get $rest) (local.get $total))))
              (then (local.set $gain (f64.const -1))))
            (if (f64.gt (local.get $gain) (local.get $most))
              (then (local.set $most (local.get $gain)) (local.set $chosen (local.get $part))))
            (f64.store (local.get $chance) (local.get $gain))
            (local.set $chance (i32.add (local.get $chance) (i32.const 8)))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br $nextPart)))
        ;; Chances, beside that of the best, one added to another.
        (local.set $sum (f64.const 0))
        (local.set $end (local.get $chance))
        (local.set $chance (local.get $chances))
        (loop $nextChance
          (local.set $gain (f64.load (local.get $chance)))
          (local.set $total (f64.div (f64.sub (local.get $gain) (local.get $most)) (local.get $randomness)))
          (if (i32.and (f64.ge (local.get $gain) (f64.const 0)) (f64.gt (local.get $total) (f64.const -30)))
            (then
              ;; exp(x) is exp(x / 1024) ten times squared.
              (local.set $total (f64.mul (local.get $total) (f64.const 0.0009765625)))
              (local.set $total
                (f64.add
                  (f64.const 1)
                  (f64.mul
                    (local.get $total)
                    (f64.add
                      (f64.const 1)
                      (f64.mul
                        (local.get $total)
                        (f64.add (f64.const 0.5) (f64.mul (local.get $total) (f64.const 0.16666666666666666))))))))
              (local.set $power (i32.const 10))
              (loop $again
                (local.set $total (f64.mul (local.get $total) (local.get $total)))
                (local.set $power (i32.sub (local.get $power) (i32.const 1)))
                (br_if $again (local.get $power)))
              (local.set $sum (f64.add (local.get $sum) (local.get $total)))))
          (f64.store (local.get $chance) (local.get $sum))
          (local.set $chance (i32.add (local.get $chance) (i32.const 8)))
          (br_if $nextChance (i32.ne (local.get $chance) (local.get $end))))
        (local.set $draws
          (i64.add
            (i64.mul (local.get $draws) (i64.const 6364136223846793005))
            (i64.const 1442695040888963407)))
        (local.set $sum
          (f64.mul
            (local.get $sum)
            (f64.mul
              (f64.convert_i32_u (i32.wrap_i64 (i64.shr_u (local.get $draws) (i64.const 32))))
              (f64.const 2.3283064365386963e-10))))
        (local.set $at (local.get $near))
        (local.set $chance (local.get $chances))
        (block $drawn
          (loop $nextChance
            (if (f64.gt (f64.load (local.get $chance)) (local.get $sum))
              (then (local.set $chosen (i32.load (local.get $at))) (br $drawn)))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (local.set $chance (i32.add (local.get $chance) (i32.const 8)))
            (br_if $nextChance (i32.ne (local.get $chance) (local.get $end)))))
        (if (i32.ne (local.get $chosen) (local.get $node))
          (then
            (i32.store
              (i32.add (local.get $parts) (i32.shl (local.get $node) (i32.const 2)))
              (local.get $chosen))
            (i32.store (i32.add (local.get $alone) (i32.shl (local.get $chosen) (i32.const 2))) (i32.const 0))
            (local.set $place (i32.shl (local.get $chosen) (i32.const 3)))
            (local.set $other (i32.shl (local.get $node) (i32.const 3)))
            (local.set $part (i32.add (local.get $totals) (local.get $place)))
            (f64.store (local.get $part) (f64.add (f64.load (local.get $part)) (local.get $size)))
            (f64.store (i32.add (local.get $totals) (local.get $other)) (f64.const 0))
            (local.set $part (i32.add (local.get $outer) (local.get $place)))
            (f64.store
              (local.get $part)
              (f64.add
                (f64.load (local.get $part))
                (f64.sub
                  (f64.load (i32.add (local.get $outer) (local.get $other)))
                  (f64.mul (f64.const 2) (f64.load (i32.add (local.get $ties) (local.get $place)))))))))
        (local.set $at (local.get $near))
        (loop $nextPart
          (f64.store
            (i32.add (local.get $ties) (i32.shl (i32.load (local.get $at)) (i32.const 3)))
            (f64.const 0))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br_if $nextPart (i32.ne (local.get $at) (local.get $stop))))
        (br $nextVisit)))
    (i64.store (local.get $random) (local.get $draws)))

  ;; The network of the parts: `nodes` are those of each part together, up to its address in `ends`. Fills the starts, others,
  ;; weights and sizes of it, and answers where its others end. `marks`, one i32 for each part, is zero before.
  (func (export "aggregate") (result i32)
    (param $partCount i32) (param $nodes i32) (param $ends i32) (param $marks i32) (param $parts i32)
    (param $starts i32) (param $others i32) (param $weights i32) (param $sizes i32)
    (param $newStarts i32) (param $newOthers i32) (param $newWeights i32) (param $newSizes i32)
    (local $part i32) (local $end i32) (local $node i32) (local $at i32) (local $stop i32) (local $other i32)
    (local $first i32) (local $out i32) (local $place i32) (local $size f64) (local $weight f64)
    (local.set $out (local.get $newOthers))
    (loop $nextPart
      (i32.store (local.get $newStarts) (i32.sub (local.get $out) (local.get $newOthers)))
      (local.set $newStarts (i32.add (local.get $newStarts) (i32.const 4)))
      (local.set $first (local.get $out))
      (local.set $size (f64.const 0))
      (local.set $end (i32.load (local.get $ends)))
      (local.set $ends (i32.add (local.get $ends) (i32.const 4)))
      (block $noNodes
        (loop $nextNode
          (br_if $noNodes (i32.eq (local.get $nodes) (local.get $end)))
          (local.set $node (i32.load (local.get $nodes)))
          (local.set $nodes (i32.add (local.get $nodes) (i32.const 4)))
          (local.set $size
            (f64.add
              (local.get $size)
              (f64.load (i32.add (local.get $sizes) (i32.shl (local.get $node) (i32.const 3))))))
          (local.set $place (i32.add (local.get $starts) (i32.shl (local.get $node) (i32.const 2))))
          (local.set $at (i32.load (local.get $place)))
          (local.set $stop (i32.load offset=4 (local.get $place)))
          (loop $nextEdge
            (br_if $nextNode (i32.eq (local.get $at) (local.get $stop)))
            (local.set $other
              (i32.load
                (i32.add
                  (local.get $parts)
                  (i32.shl (i32.load (i32.add (local.get $others) (local.get $at))) (i32.const 2)))))
            (local.set $weight
              (f64.load (i32.add (local.get $weights) (i32.shl (local.get $at) (i32.const 1)))))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br_if $nextEdge (i32.eq (local.get $other) (local.get $part)))
            (local.set $place (i32.add (local.get $marks) (i32.shl (local.get $other) (i32.const 2))))
            (if (i32.lt_u (i32.load (local.get $place)) (local.get $first))
              (then
                (i32.store (local.get $place) (local.get $out))
                (i32.store (local.get $out) (local.get $other))
                (f64.store
                  (i32.add
                    (local.get $newWeights)
                    (i32.shl (i32.sub (local.get $out) (local.get $newOthers)) (i32.const 1)))
                  (local.get $weight))
                (local.set $out (i32.add (local.get $out) (i32.const 4))))
              (else
                (local.set $place
                  (i32.add
                    (local.get $newWeights)
                    (i32.shl (i32.sub (i32.load (local.get $place)) (local.get $newOthers)) (i32.const 1))))
                (f64.store (local.get $place) (f64.add (f64.load (local.get $place)) (local.get $weight)))))
            (br $nextEdge))))
      (f64.store (local.get $newSizes) (local.get $size))
      (local.set $newSizes (i32.add (local.get $newSizes) (i32.const 8)))
      (local.set $part (i32.add (local.get $part) (i32.const 1)))
      (br_if $nextPart (i32.lt_u (local.get $part) (local.get $partCount))))
    (i32.store (local.get $newStarts) (i32.sub (local.get $out) (local.get $newOthers)))
    (local.get $out)))
