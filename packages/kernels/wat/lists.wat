;; The nearest of points that are held in lists around centroids. Coordinates are whole numbers of 16 bits, so that products
;; are exact, and one instruction multiplies and adds eight of them. A point is a row of pairs of coordinates, an even number
;; of them; or one of a group of eight: half the sum of its squares, eight times, then eight times each pair. A score is half the
;; squared distance, less half the squares of the row. Parameters are addresses, but `size`, bytes of a row, and `stride`, bytes
;; of the scores of a row. Rows are asked for by their numbers.
(module
  (import "env" "memory" (memory 0))
  ;; The scores of points for each row that is asked for, four rows at a time: what is behind `end` must be numbers of rows, and
  ;; there must be room for their scores.
  (func (export "scores")
    (param $asked i32) (param $end i32) (param $rows i32) (param $size i32) (param $points i32) (param $last i32)
    (param $out i32) (param $stride i32)
    (local $group i32) (local $at i32) (local $stop i32) (local $to i32)
    (local $r0 i32) (local $r1 i32) (local $r2 i32) (local $r3 i32) (local $x0 i32) (local $x1 i32) (local $x2 i32) (local $x3 i32)
    (local $a0 v128) (local $a1 v128) (local $a2 v128) (local $a3 v128) (local $b0 v128) (local $b1 v128) (local $b2 v128) (local $b3 v128)
    (local $left v128) (local $right v128) (local $own v128)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (i32.lt_u (local.get $asked) (local.get $end))))
        (local.set $r0 (i32.add (local.get $rows) (i32.mul (i32.load offset=0 (local.get $asked)) (local.get $size))))
        (local.set $r1 (i32.add (local.get $rows) (i32.mul (i32.load offset=4 (local.get $asked)) (local.get $size))))
        (local.set $r2 (i32.add (local.get $rows) (i32.mul (i32.load offset=8 (local.get $asked)) (local.get $size))))
        (local.set $r3 (i32.add (local.get $rows) (i32.mul (i32.load offset=12 (local.get $asked)) (local.get $size))))
        (local.set $to (local.get $out))
        (local.set $group (local.get $points))
        (loop $groups
          (local.set $a0 (v128.load offset=0 (local.get $group)))
          (local.set $b0 (v128.load offset=16 (local.get $group)))
          (local.set $a1 (v128.load offset=0 (local.get $group)))
          (local.set $b1 (v128.load offset=16 (local.get $group)))
          (local.set $a2 (v128.load offset=0 (local.get $group)))
          (local.set $b2 (v128.load offset=16 (local.get $group)))
          (local.set $a3 (v128.load offset=0 (local.get $group)))
          (local.set $b3 (v128.load offset=16 (local.get $group)))
          (local.set $at (i32.add (local.get $group) (i32.const 32)))
          (local.set $stop (i32.add (local.get $at) (i32.shl (local.get $size) (i32.const 3))))
          (local.set $x0 (local.get $r0))
          (local.set $x1 (local.get $r1))
          (local.set $x2 (local.get $r2))
          (local.set $x3 (local.get $r3))
          (loop $pairs
            (local.set $left (v128.load offset=0 (local.get $at)))
            (local.set $right (v128.load offset=16 (local.get $at)))
            (local.set $own (v128.load32_splat offset=0 (local.get $x0)))
            (local.set $a0 (i32x4.sub (local.get $a0) (i32x4.dot_i16x8_s (local.get $left) (local.get $own))))
            (local.set $b0 (i32x4.sub (local.get $b0) (i32x4.dot_i16x8_s (local.get $right) (local.get $own))))
            (local.set $own (v128.load32_splat offset=0 (local.get $x1)))
            (local.set $a1 (i32x4.sub (local.get $a1) (i32x4.dot_i16x8_s (local.get $left) (local.get $own))))
            (local.set $b1 (i32x4.sub (local.get $b1) (i32x4.dot_i16x8_s (local.get $right) (local.get $own))))
            (local.set $own (v128.load32_splat offset=0 (local.get $x2)))
            (local.set $a2 (i32x4.sub (local.get $a2) (i32x4.dot_i16x8_s (local.get $left) (local.get $own))))
            (local.set $b2 (i32x4.sub (local.get $b2) (i32x4.dot_i16x8_s (local.get $right) (local.get $own))))
            (local.set $own (v128.load32_splat offset=0 (local.get $x3)))
            (local.set $a3 (i32x4.sub (local.get $a3) (i32x4.dot_i16x8_s (local.get $left) (local.get $own))))
            (local.set $b3 (i32x4.sub (local.get $b3) (i32x4.dot_i16x8_s (local.get $right) (local.get $own))))
            (local.set $left (v128.load offset=32 (local.get $at)))
            (local.set $right (v128.load offset=48 (local.get $at)))
            (local.set $own (v128.load32_splat offset=4 (local.get $x0)))
            (local.set $a0 (i32x4.sub (local.get $a0) (i32x4.dot_i16x8_s (local.get $left) (local.get $own))))
            (local.set $b0 (i32x4.sub (local.get $b0) (i32x4.dot_i16x8_s (local.get $right) (local.get $own))))
            (local.set $own (v128.load32_splat offset=4 (local.get $x1)))
            (local.set $a1 (i32x4.sub (local.get $a1) (i32x4.dot_i16x8_s (local.get $left) (local.get $own))))
            (local.set $b1 (i32x4.sub (local.get $b1) (i32x4.dot_i16x8_s (local.get $right) (local.get $own))))
            (local.set $own (v128.load32_splat offset=4 (local.get $x2)))
            (local.set $a2 (i32x4.sub (local.get $a2) (i32x4.dot_i16x8_s (local.get $left) (local.get $own))))
            (local.set $b2 (i32x4.sub (local.get $b2) (i32x4.dot_i16x8_s (local.get $right) (local.get $own))))
            (local.set $own (v128.load32_splat offset=4 (local.get $x3)))
            (local.set $a3 (i32x4.sub (local.get $a3) (i32x4.dot_i16x8_s (local.get $left) (local.get $own))))
            (local.set $b3 (i32x4.sub (local.get $b3) (i32x4.dot_i16x8_s (local.get $right) (local.get $own))))
            (local.set $at (i32.add (local.get $at) (i32.const 64)))
            (local.set $x0 (i32.add (local.get $x0) (i32.const 8)))
            (local.set $x1 (i32.add (local.get $x1) (i32.const 8)))
            (local.set $x2 (i32.add (local.get $x2) (i32.const 8)))
            (local.set $x3 (i32.add (local.get $x3) (i32.const 8)))
            (br_if $pairs (i32.lt_u (local.get $at) (local.get $stop))))
          (local.set $at (local.get $to))
          (v128.store (local.get $at) (local.get $a0))
          (v128.store offset=16 (local.get $at) (local.get $b0))
          (local.set $at (i32.add (local.get $at) (local.get $stride)))
          (v128.store (local.get $at) (local.get $a1))
          (v128.store offset=16 (local.get $at) (local.get $b1))
          (local.set $at (i32.add (local.get $at) (local.get $stride)))
          (v128.store (local.get $at) (local.get $a2))
          (v128.store offset=16 (local.get $at) (local.get $b2))
          (local.set $at (i32.add (local.get $at) (local.get $stride)))
          (v128.store (local.get $at) (local.get $a3))
          (v128.store offset=16 (local.get $at) (local.get $b3))
          (local.set $to (i32.add (local.get $to) (i32.const 32)))
          (local.set $group (local.get $stop))
          (br_if $groups (i32.lt_u (local.get $group) (local.get $last))))
        (local.set $out (i32.add (local.get $out) (i32.shl (local.get $stride) (i32.const 2))))
        (local.set $asked (i32.add (local.get $asked) (i32.const 16)))
        (br $next))))
  ;; Puts the points with the least scores into the lists of nearest of the rows: `size` bytes of scores, rising, and of numbers.
  ;; Points are numbered from `first` on; a row is itself the point `self` and its number.
  (func (export "keep")
    (param $asked i32) (param $end i32) (param $scores i32) (param $stride i32) (param $nearest i32) (param $size i32)
    (param $first i32) (param $self i32)
    (local $query i32) (local $kept i32) (local $last i32) (local $at i32) (local $stop i32) (local $bits i32)
    (local $lane i32) (local $score i32) (local $number i32) (local $to i32) (local $limit v128)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (i32.lt_u (local.get $asked) (local.get $end))))
        (local.set $query (i32.load (local.get $asked)))
        (local.set $kept
          (i32.add (local.get $nearest) (i32.mul (local.get $query) (i32.shl (local.get $size) (i32.const 1)))))
        (local.set $last (i32.sub (i32.add (local.get $kept) (local.get $size)) (i32.const 4)))
        (local.set $limit (v128.load32_splat (local.get $last)))
        (local.set $at (local.get $scores))
        (local.set $stop (i32.add (local.get $scores) (local.get $stride)))
        (loop $points
          (local.set $bits
            (i32.or
              (i32x4.bitmask (i32x4.lt_s (v128.load (local.get $at)) (local.get $limit)))
              (i32.shl
                (i32x4.bitmask (i32x4.lt_s (v128.load offset=16 (local.get $at)) (local.get $limit)))
                (i32.const 4))))
          (if (local.get $bits)
            (then
              (loop $lanes
                (local.set $lane (i32.ctz (local.get $bits)))
                (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
                (local.set $score (i32.load (i32.add (local.get $at) (i32.shl (local.get $lane) (i32.const 2)))))
                (local.set $number
                  (i32.add
                    (i32.add (local.get $first) (local.get $lane))
                    (i32.shr_u (i32.sub (local.get $at) (local.get $scores)) (i32.const 2))))
                (if
                  (i32.and
                    (i32.lt_s (local.get $score) (i32.load (local.get $last)))
                    (i32.ne (local.get $number) (i32.add (local.get $self) (local.get $query))))
                  (then
                    (local.set $to (local.get $last))
                    (block $placed
                      (loop $moves
                        (br_if $placed (i32.eq (local.get $to) (local.get $kept)))
                        (br_if $placed
                          (i32.le_s (i32.load (i32.sub (local.get $to) (i32.const 4))) (local.get $score)))
                        (i32.store (local.get $to) (i32.load (i32.sub (local.get $to) (i32.const 4))))
                        (i32.store
                          (i32.add (local.get $to) (local.get $size))
                          (i32.load (i32.add (i32.sub (local.get $to) (i32.const 4)) (local.get $size))))
                        (local.set $to (i32.sub (local.get $to) (i32.const 4)))
                        (br $moves)))
                    (i32.store (local.get $to) (local.get $score))
                    (i32.store (i32.add (local.get $to) (local.get $size)) (local.get $number))))
                (br_if $lanes (local.get $bits)))
              (local.set $limit (v128.load32_splat (local.get $last)))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $points (i32.lt_u (local.get $at) (local.get $stop))))
        (local.set $scores (local.get $stop))
        (local.set $asked (i32.add (local.get $asked) (i32.const 4)))
        (br $next))))
  ;; For each row the lists whose centroids are nearest, until they have as many points as are wanted: the number of the row is
  ;; added to the queue of each, which has `room` bytes. `sizes` and `counts` are of lists, `sums` is room for 1024 numbers.
  (func (export "choose")
    (param $asked i32) (param $end i32) (param $scores i32) (param $stride i32) (param $sizes i32) (param $wanted i32)
    (param $sums i32) (param $counts i32) (param $queues i32) (param $room i32)
    (local $query i32) (local $at i32) (local $stop i32) (local $shift i32) (local $least i32) (local $most i32)
    (local $step i32) (local $total i32) (local $bits i32) (local $list i32) (local $to i32) (local $bound i32)
    (local $low v128) (local $high v128) (local $limit v128)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (i32.lt_u (local.get $asked) (local.get $end))))
        (local.set $query (i32.load (local.get $asked)))
        (local.set $stop (i32.add (local.get $scores) (local.get $stride)))
        (local.set $at (local.get $scores))
        (local.set $low (v128.load (local.get $at)))
        (local.set $high (local.get $low))
        (loop $range
          (local.set $low (i32x4.min_s (local.get $low) (v128.load (local.get $at))))
          (local.set $high (i32x4.max_s (local.get $high) (v128.load (local.get $at))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $range (i32.lt_u (local.get $at) (local.get $stop))))
        (local.set $low
          (i32x4.min_s
            (local.get $low)
            (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $low) (local.get $low))))
        (local.set $low
          (i32x4.min_s
            (local.get $low)
            (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $low) (local.get $low))))
        (local.set $high
          (i32x4.max_s
            (local.get $high)
            (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $high) (local.get $high))))
        (local.set $high
          (i32x4.max_s
            (local.get $high)
            (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $high) (local.get $high))))
        (local.set $least (i32x4.extract_lane 0 (local.get $low)))
        (local.set $most (i32x4.extract_lane 0 (local.get $high)))
        (local.set $total (i32.const 0))
        ;; The 1024 steps of the range: the one in which there are enough points. Where it has many, it is a range of steps.
        (local.set $shift
          (i32.sub (i32.const 22) (i32.clz (i32.sub (local.get $most) (local.get $least)))))
        (loop $finer
          (if (i32.lt_s (local.get $shift) (i32.const 0)) (then (local.set $shift (i32.const 0))))
          (memory.fill (local.get $sums) (i32.const 0) (i32.const 4096))
          (local.set $at (local.get $scores))
          (loop $lists
            (local.set $step
              (i32.shr_u (i32.sub (i32.load (local.get $at)) (local.get $least)) (local.get $shift)))
            (if (i32.lt_u (local.get $step) (i32.const 1024))
              (then
                (local.set $to (i32.add (local.get $sums) (i32.shl (local.get $step) (i32.const 2))))
                (i32.store
                  (local.get $to)
                  (i32.add
                    (i32.load (local.get $to))
                    (i32.load (i32.add (local.get $sizes) (i32.sub (local.get $at) (local.get $scores))))))))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br_if $lists (i32.lt_u (local.get $at) (local.get $stop))))
          (local.set $step (i32.const 0))
          (block $enough
            (loop $steps
              (local.set $to
                (i32.load (i32.add (local.get $sums) (i32.shl (local.get $step) (i32.const 2)))))
              (br_if $enough (i32.ge_s (i32.add (local.get $total) (local.get $to)) (local.get $wanted)))
              (local.set $total (i32.add (local.get $total) (local.get $to)))
              (local.set $step (i32.add (local.get $step) (i32.const 1)))
              (br_if $steps (i32.lt_u (local.get $step) (i32.const 1023)))))
          (if
            (i32.and
              (i32.gt_s (local.get $shift) (i32.const 0))
              (i32.gt_s
                (i32.load (i32.add (local.get $sums) (i32.shl (local.get $step) (i32.const 2))))
                (i32.shr_u (local.get $wanted) (i32.const 4))))
            (then
              (local.set $least (i32.add (local.get $least) (i32.shl (local.get $step) (local.get $shift))))
              (local.set $shift (i32.sub (local.get $shift) (i32.const 10)))
              (br $finer))))
        (local.set $bound (i32.add (local.get $least) (i32.shl (local.get $step) (local.get $shift))))
        (local.set $limit
          (i32x4.splat (i32.add (local.get $least) (i32.shl (i32.add (local.get $step) (i32.const 1)) (local.get $shift)))))
        (local.set $at (local.get $scores))
        (loop $fours
          (local.set $bits (i32x4.bitmask (i32x4.lt_s (v128.load (local.get $at)) (local.get $limit))))
          (if (local.get $bits)
            (then
              (loop $lanes
                (local.set $list
                  (i32.add
                    (i32.sub (local.get $at) (local.get $scores))
                    (i32.shl (i32.ctz (local.get $bits)) (i32.const 2))))
                (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
                (block $left
                  (if (i32.ge_s (i32.load (i32.add (local.get $scores) (local.get $list))) (local.get $bound))
                    (then
                      (br_if $left (i32.ge_s (local.get $total) (local.get $wanted)))
                      (local.set $total
                        (i32.add (local.get $total) (i32.load (i32.add (local.get $sizes) (local.get $list)))))))
                  (local.set $to (i32.add (local.get $counts) (local.get $list)))
                  (i32.store
                    (i32.add
                      (i32.add (local.get $queues) (i32.mul (i32.shr_u (local.get $list) (i32.const 2)) (local.get $room)))
                      (i32.shl (i32.load (local.get $to)) (i32.const 2)))
                    (local.get $query))
                  (i32.store (local.get $to) (i32.add (i32.load (local.get $to)) (i32.const 1))))
                (br_if $lanes (local.get $bits)))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $fours (i32.lt_u (local.get $at) (local.get $stop))))
        (local.set $scores (local.get $stop))
        (local.set $asked (i32.add (local.get $asked) (i32.const 4)))
        (br $next)))))
